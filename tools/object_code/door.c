/* The door from Python to the object code of the kernels: one function for each kernel, which looks
 * at its arguments, lays them out as machine words, lets go of the interpreter, and calls the code.
 *
 * Only the stable interface of Python is used, so one build serves every version from 3.11 on. An
 * array is read by its public layout in memory, which NumPy promises to keep: asking for its buffer
 * would take longer than a step of one game.
 *
 * `domino_codes` and `domino_table` come with the object code. What a kernel takes is said by Python
 * when it asks for a kernel (`callable`): for each argument its kind, and of an array its dtype.
 */
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>
#include <string.h>

typedef int64_t (*Code)(int64_t *block);
extern const Code domino_codes[];
extern const int64_t domino_num_codes;
extern const char domino_table[];
extern const int64_t domino_table_size;

typedef struct { /* the beginning of every array, see numpy/ndarraytypes.h */
    PyObject_HEAD
    char *data;
    int nd;
    Py_ssize_t *dimensions;
    Py_ssize_t *strides;
    PyObject *base;
    PyObject *descr;
    int flags;
} Array;

enum { C_CONTIGUOUS = 0x1, ALIGNED = 0x100, WRITEABLE = 0x400 };
enum { MOST_WORDS = 1024, RESULTS = 4 }; /* of a block: results, and then arguments */

typedef struct {
    char kind;        /* i, f, b: a number; a, w: an array, w if it is written to; t: a tuple */
    int dimensions;   /* of an array; of a tuple its length */
    int words;        /* that it takes in the block */
    PyObject *dtype;  /* of an array */
    PyObject *like;   /* another object that is known to be an equal dtype, or NULL */
} Slot;

typedef struct {
    Code code;
    int num_results;
    char results[RESULTS]; /* i, f or b */
    int num_slots;    /* tuples count as one, and each of their parts */
    int num_arguments;
    Slot *slots;
} Form;

typedef struct {
    PyObject_HEAD
    int num_forms;
    Form *forms;      /* one for each row of types that it was compiled for */
    PyObject *otherwise;
    PyMethodDef method;
} Door;

typedef struct { /* an argument of a prepared call that comes anew each time: an array of one shape */
    Slot *slot;
    int word;         /* where it begins in the block */
} Hole;

enum { MOST_HOLES = 4 };

typedef struct {
    PyObject_HEAD
    PyObject *door;
    PyObject *arguments; /* the others stay as long as this */
    Form *form;
    int num_words, num_holes;
    int64_t *block;
    Hole holes[MOST_HOLES];
    PyMethodDef method;
} Prepared;

static PyObject *ndarray, *numpy_bool, *door_type, *prepared_type;

/* Is it this dtype? Dtypes are objects: most often it is the very same. */
static int is_dtype(Slot *slot, PyObject *dtype)
{
    if (dtype == slot->dtype || dtype == slot->like)
        return 1;
    int equal = PyObject_RichCompareBool(dtype, slot->dtype, Py_EQ);
    if (equal == 1 && slot->like == NULL) {
        Py_INCREF(dtype);
        slot->like = dtype;
    }
    if (equal < 0)
        PyErr_Clear();
    return equal == 1;
}

static int64_t *put_array(Slot *slot, PyObject *value, int64_t *at)
{
    Array *array = (Array *)value;
    if ((PyObject *)Py_TYPE(value) != ndarray && !PyObject_TypeCheck(value, (PyTypeObject *)ndarray))
        return NULL;
    int needed = C_CONTIGUOUS | (slot->kind == 'w' ? WRITEABLE : 0);
    if (array->nd != slot->dimensions || (array->flags & needed) != needed ||
        !is_dtype(slot, array->descr))
        return NULL;
    *at++ = (int64_t)array->data;
    for (int axis = 0; axis < array->nd; axis++)
        *at++ = array->dimensions[axis];
    return at;
}

static int64_t *put_number(Slot *slot, PyObject *value, int64_t *at)
{
    if (slot->kind == 'b') {
        if (!PyBool_Check(value) && (PyObject *)Py_TYPE(value) != numpy_bool)
            return NULL;
        *at = PyObject_IsTrue(value);
    } else if (slot->kind == 'f') {
        if (!PyFloat_Check(value))
            return NULL;
        double number = PyFloat_AsDouble(value);
        memcpy(at, &number, sizeof number);
    } else {
        if (PyBool_Check(value) || (!PyLong_Check(value) && !PyIndex_Check(value)) ||
            PyObject_TypeCheck(value, (PyTypeObject *)ndarray))
            return NULL;
        *at = PyLong_AsLongLong(value);
        if (*at == -1 && PyErr_Occurred()) {
            PyErr_Clear();
            return NULL;
        }
    }
    return at + 1;
}

/* Lays an argument out in the block. Answers with the place behind it, or with NULL if it does not
 * fit; `slot` comes to stand on the next argument's. */
static int64_t *put(Slot **slot, PyObject *value, int64_t *at)
{
    Slot *this = (*slot)++;
    if (this->kind == 'a' || this->kind == 'w')
        return put_array(this, value, at);
    if (this->kind != 't')
        return put_number(this, value, at);
    if (!PyTuple_Check(value) || PyTuple_Size(value) != this->dimensions)
        return NULL;
    for (int part = 0; part < this->dimensions; part++)
        if ((at = put(slot, PyTuple_GetItem(value, part), at)) == NULL)
            return NULL;
    return at;
}

static int fits(Form *form, PyObject *const *arguments, Py_ssize_t number, int64_t *block)
{
    if (number != form->num_arguments)
        return 0;
    Slot *slot = form->slots;
    int64_t *at = block + RESULTS;
    for (Py_ssize_t i = 0; i < number; i++)
        if ((at = put(&slot, arguments[i], at)) == NULL)
            return 0;
    return 1;
}

static PyObject *as_object(char kind, int64_t word)
{
    double number;
    if (kind == 'i')
        return PyLong_FromLongLong(word);
    if (kind == 'b')
        return PyBool_FromLong(word & 1);
    memcpy(&number, &word, sizeof number);
    return PyFloat_FromDouble(number);
}

static PyObject *answer(Form *form, int64_t *block)
{
    if (form->num_results == 0)
        Py_RETURN_NONE;
    if (form->num_results == 1)
        return as_object(form->results[0], block[0]);
    PyObject *all = PyTuple_New(form->num_results);
    for (int i = 0; all && i < form->num_results; i++)
        PyTuple_SetItem(all, i, as_object(form->results[i], block[i]));
    return all;
}

static PyObject *run(PyObject *self, PyObject *const *arguments, Py_ssize_t number)
{
    Door *door = (Door *)self;
    int64_t block[MOST_WORDS];
    for (Form *form = door->forms; form < door->forms + door->num_forms; form++) {
        if (!fits(form, arguments, number, block))
            continue;
        int64_t failed;
        Py_BEGIN_ALLOW_THREADS
        failed = form->code(block);
        Py_END_ALLOW_THREADS
        if (failed) {
            PyErr_SetString(PyExc_RuntimeError, "a compiled kernel has failed");
            return NULL;
        }
        return answer(form, block);
    }
    PyObject *others = PyTuple_New(number);
    if (others == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < number; i++) {
        Py_INCREF(arguments[i]);
        PyTuple_SetItem(others, i, arguments[i]);
    }
    PyObject *found = PyObject_CallObject(door->otherwise, others);
    Py_DECREF(others);
    return found;
}

/* Reads slots: (kind, dtype, dimensions), or ("t", (slot, ...)). */
static int count_slots(PyObject *said)
{
    int found = 0;
    for (Py_ssize_t i = 0; i < PyTuple_Size(said); i++) {
        PyObject *parts = PyTuple_GetItem(PyTuple_GetItem(said, i), 1);
        found += 1 + (PyTuple_Check(parts) ? count_slots(parts) : 0);
    }
    return found;
}

static int read_slots(PyObject *said, Slot **slot)
{
    int words = 0;
    for (Py_ssize_t i = 0; i < PyTuple_Size(said); i++) {
        PyObject *kind, *what;
        int dimensions;
        Slot *this = (*slot)++;
        if (!PyArg_ParseTuple(PyTuple_GetItem(said, i), "UOi", &kind, &what, &dimensions))
            return -1;
        this->kind = (char)PyUnicode_ReadChar(kind, 0);
        this->dimensions = dimensions;
        this->words = 1;
        if (this->kind == 't') {
            this->dimensions = (int)PyTuple_Size(what);
            this->words = read_slots(what, slot);
            if (this->words < 0)
                return -1;
        } else if (this->kind == 'a' || this->kind == 'w') {
            Py_INCREF(what);
            this->dtype = what;
            this->words = 1 + dimensions;
        }
        words += this->words;
    }
    return words;
}

static int read_form(PyObject *said, Form *form)
{
    unsigned long long code; /* the number of a shipped one, or the address of one compiled here */
    PyObject *result, *slots;
    if (!PyArg_ParseTuple(said, "KUO!", &code, &result, &PyTuple_Type, &slots))
        return -1;
    form->code = code < (unsigned long long)domino_num_codes ? domino_codes[code]
                                                             : (Code)(uintptr_t)code;
    form->num_results = (int)PyUnicode_GetLength(result);
    if (form->num_results > RESULTS) {
        PyErr_SetString(PyExc_ValueError, "too many results");
        return -1;
    }
    for (int i = 0; i < form->num_results; i++)
        form->results[i] = (char)PyUnicode_ReadChar(result, i);
    form->num_arguments = (int)PyTuple_Size(slots);
    form->num_slots = count_slots(slots);
    form->slots = PyMem_Calloc(form->num_slots + 1, sizeof(Slot));
    if (form->slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    Slot *slot = form->slots;
    int words = read_slots(slots, &slot);
    if (words >= MOST_WORDS - RESULTS)
        PyErr_SetString(PyExc_ValueError, "too many arguments");
    return words < 0 || words >= MOST_WORDS - RESULTS ? -1 : 0;
}

static void free_door(PyObject *self)
{
    Door *door = (Door *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int i = 0; i < door->num_forms; i++) {
        Form *form = door->forms + i;
        for (int j = 0; form->slots && j < form->num_slots; j++) {
            Py_XDECREF(form->slots[j].dtype);
            Py_XDECREF(form->slots[j].like);
        }
        PyMem_Free(form->slots);
    }
    PyMem_Free(door->forms);
    Py_XDECREF(door->otherwise);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* callable(forms, otherwise): a form is (number of the code, kind of the result, slots); `otherwise`
 * is called where no form fits. */
static PyObject *make_callable(PyObject *module, PyObject *arguments)
{
    PyObject *forms, *otherwise;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyTuple_Type, &forms, &otherwise))
        return NULL;
    allocfunc get = (allocfunc)PyType_GetSlot((PyTypeObject *)door_type, Py_tp_alloc);
    Door *door = (Door *)get((PyTypeObject *)door_type, 0);
    if (door == NULL)
        return NULL;
    Py_INCREF(otherwise);
    door->otherwise = otherwise;
    door->forms = PyMem_Calloc(PyTuple_Size(forms) + 1, sizeof(Form));
    if (door->forms == NULL) {
        Py_DECREF(door);
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < PyTuple_Size(forms); i++) {
        door->num_forms++;
        if (read_form(PyTuple_GetItem(forms, i), door->forms + i) < 0) {
            Py_DECREF(door);
            return NULL;
        }
    }
    door->method = (PyMethodDef){"kernel", (PyCFunction)(void (*)(void))run, METH_FASTCALL,
                                 "A kernel, as object code."};
    PyObject *found = PyCFunction_NewEx(&door->method, (PyObject *)door, NULL);
    Py_DECREF(door); /* the function keeps it */
    return found;
}

/* Prepared calls: all arguments but a few arrays are laid out in the block once and for all, for to
 * read them takes as long as a step of a few games. The arrays that come anew are looked at in each
 * call, and so is their shape; where one is not of the same kind, nothing is done, and the answer is
 * None. */
static PyObject *run_prepared(PyObject *self, PyObject *const *arguments, Py_ssize_t number)
{
    Prepared *call = (Prepared *)self;
    int64_t block[MOST_WORDS], failed;
    if (number != call->num_holes)
        Py_RETURN_NONE;
    memcpy(block, call->block, call->num_words * sizeof *block);
    for (int i = 0; i < call->num_holes; i++) {
        Hole *hole = call->holes + i;
        int64_t *at = block + hole->word;
        if (put_array(hole->slot, arguments[i], at) == NULL ||
            !(((Array *)arguments[i])->flags & ALIGNED) ||
            memcmp(at + 1, call->block + hole->word + 1, hole->slot->dimensions * sizeof *at))
            Py_RETURN_NONE;
    }
    Py_BEGIN_ALLOW_THREADS
    failed = call->form->code(block);
    Py_END_ALLOW_THREADS
    if (failed) {
        PyErr_SetString(PyExc_RuntimeError, "a compiled kernel has failed");
        return NULL;
    }
    return answer(call->form, block);
}

static void free_prepared(PyObject *self)
{
    Prepared *call = (Prepared *)self;
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(call->door);
    Py_XDECREF(call->arguments);
    PyMem_Free(call->block);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* Finds the holes in the block; 0 if one of them is not the place of an array, before any tuple. */
static int find_holes(Prepared *call, PyObject *places)
{
    call->num_holes = (int)PyTuple_Size(places);
    if (call->num_holes > MOST_HOLES)
        return 0;
    for (int i = 0; i < call->num_holes; i++) {
        long place = PyLong_AsLong(PyTuple_GetItem(places, i));
        Slot *slot = call->form->slots;
        int word = RESULTS;
        if (place < 0 || place >= call->form->num_arguments)
            return 0;
        for (; place > 0 && slot->kind != 't'; place--)
            word += (slot++)->words;
        if (slot->kind != 'a' && slot->kind != 'w')
            return 0;
        call->holes[i] = (Hole){slot, word};
    }
    return 1;
}

/* prepared(kernel, arguments, places): a kernel that `callable` has given, for these arguments but
 * for the arrays in some places; None if it is no such kernel, or has no form that fits. */
static PyObject *make_prepared(PyObject *module, PyObject *given)
{
    PyObject *kernel, *arguments, *places;
    if (!PyArg_ParseTuple(given, "OO!O!", &kernel, &PyTuple_Type, &arguments, &PyTuple_Type,
                          &places))
        return NULL;
    PyObject *self = PyCFunction_Check(kernel) ? PyCFunction_GetSelf(kernel) : NULL;
    if (self == NULL || (PyObject *)Py_TYPE(self) != door_type)
        Py_RETURN_NONE;
    Door *door = (Door *)self;
    Py_ssize_t number = PyTuple_Size(arguments);
    PyObject *each[MOST_WORDS];
    int64_t block[MOST_WORDS];
    Form *form = door->forms;
    for (Py_ssize_t i = 0; i < number && i < MOST_WORDS; i++)
        each[i] = PyTuple_GetItem(arguments, i);
    while (form < door->forms + door->num_forms && !fits(form, each, number, block))
        form++;
    if (form == door->forms + door->num_forms)
        Py_RETURN_NONE;
    allocfunc get = (allocfunc)PyType_GetSlot((PyTypeObject *)prepared_type, Py_tp_alloc);
    Prepared *call = (Prepared *)get((PyTypeObject *)prepared_type, 0);
    if (call == NULL)
        return NULL;
    Py_INCREF(self);
    Py_INCREF(arguments);
    call->door = self;
    call->arguments = arguments;
    call->form = form;
    call->num_words = RESULTS;
    for (Slot *slot = form->slots; slot < form->slots + form->num_slots; slot++)
        call->num_words += slot->kind == 't' ? 0 : slot->words;
    call->block = PyMem_Calloc(call->num_words, sizeof *block);
    PyObject *found = NULL;
    if (call->block == NULL) {
        PyErr_NoMemory();
    } else if (!find_holes(call, places)) {
        PyErr_SetString(PyExc_ValueError, "only arrays before any tuple can be left open, and four at most");
    } else {
        memcpy(call->block, block, call->num_words * sizeof *block);
        call->method = (PyMethodDef){"kernel", (PyCFunction)(void (*)(void))run_prepared,
                                     METH_FASTCALL, "A kernel with most of its arguments."};
        found = PyCFunction_NewEx(&call->method, (PyObject *)call, NULL);
    }
    Py_DECREF(call); /* the function keeps it */
    return found;
}

static PyObject *table(PyObject *module, PyObject *nothing)
{
    return PyUnicode_DecodeUTF8(domino_table, domino_table_size, "strict");
}

/* Can this processor run the code? */
static PyObject *runs_here(PyObject *module, PyObject *nothing)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return PyBool_FromLong(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx"));
#else
    Py_RETURN_TRUE;
#endif
}

static PyType_Slot door_slots[] = {{Py_tp_dealloc, free_door}, {0, NULL}};
static PyType_Spec door_spec = {"domino_env.compiling._object_code.Door", sizeof(Door), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, door_slots};
static PyType_Slot prepared_slots[] = {{Py_tp_dealloc, free_prepared}, {0, NULL}};
static PyType_Spec prepared_spec = {"domino_env.compiling._object_code.Prepared", sizeof(Prepared), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                    prepared_slots};
static PyMethodDef methods[] = {
    {"callable", make_callable, METH_VARARGS, "A kernel that Python can call."},
    {"prepared", make_prepared, METH_VARARGS, "A kernel with most of its arguments."},
    {"table", table, METH_NOARGS, "What there is, as JSON."},
    {"runs_here", runs_here, METH_NOARGS, "Can this processor run the code?"},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_object_code", NULL, -1, methods,
                                        NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__object_code(void)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL)
        return NULL;
    ndarray = PyObject_GetAttrString(numpy, "ndarray");
    numpy_bool = PyObject_GetAttrString(numpy, "bool_");
    Py_DECREF(numpy);
    door_type = PyType_FromSpec(&door_spec);
    prepared_type = PyType_FromSpec(&prepared_spec);
    if (ndarray == NULL || numpy_bool == NULL || door_type == NULL || prepared_type == NULL)
        return NULL;
    return PyModule_Create(&definition);
}
