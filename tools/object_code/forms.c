/* How arguments are laid out as machine words, and answers read: a form for each row of types that a
 * kernel was compiled for.
 *
 * An array is read by its public layout in memory, which NumPy promises to keep: asking for its
 * buffer would take longer than a step of one game. What a kernel takes is said by Python when it
 * asks for one: for each argument its kind, and of an array its dtype.
 */
#include "door.h"

PyObject *ndarray, *numpy_bool;

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

int64_t *put_array(Slot *slot, PyObject *value, int64_t *at)
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

int num_words(Form *form)
{
    int words = RESULTS;
    for (Slot *slot = form->slots; slot < form->slots + form->num_slots; slot++)
        words += slot->kind == 't' ? 0 : slot->words;
    return words;
}

int fits(Form *form, PyObject *const *arguments, Py_ssize_t number, int64_t *block)
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

/* The form that a tuple of arguments has, which are laid out in the block; NULL if it has none. */
Form *form_for(Door *door, PyObject *arguments, int64_t *block)
{
    PyObject *each[MOST_WORDS];
    Py_ssize_t number = PyTuple_Check(arguments) ? PyTuple_Size(arguments) : MOST_WORDS;
    if (number >= MOST_WORDS)
        return NULL;
    for (Py_ssize_t i = 0; i < number; i++)
        each[i] = PyTuple_GetItem(arguments, i);
    for (Form *form = door->forms; form < door->forms + door->num_forms; form++)
        if (fits(form, each, number, block))
            return form;
    return NULL;
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

PyObject *answer(Form *form, int64_t *block)
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

int read_form(PyObject *said, Form *form)
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

void free_form(Form *form)
{
    for (int i = 0; form->slots && i < form->num_slots; i++) {
        Py_XDECREF(form->slots[i].dtype);
        Py_XDECREF(form->slots[i].like);
    }
    PyMem_Free(form->slots);
}
