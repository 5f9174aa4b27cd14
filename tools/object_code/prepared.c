/* Prepared calls: all arguments but a few arrays are laid out in the block once and for all, for to
 * read them takes as long as a step of a few games. The arrays that come anew are looked at in each
 * call, and so is their shape; where one is not of the same kind, nothing is done, and the answer is
 * None.
 */
#include "door.h"

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
PyTypeObject *prepared_type;

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
    Py_XDECREF(call->door);
    Py_XDECREF(call->arguments);
    PyMem_Free(call->block);
    free_object(self);
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

static PyObject *prepared_for(Door *door, Form *form, PyObject *arguments, int64_t *block,
                              PyObject *places)
{
    Prepared *call = (Prepared *)new_object(prepared_type);
    if (call == NULL)
        return NULL;
    Py_INCREF((PyObject *)door);
    Py_INCREF(arguments);
    call->door = (PyObject *)door;
    call->arguments = arguments;
    call->form = form;
    call->num_words = num_words(form);
    call->block = PyMem_Calloc(call->num_words, sizeof *block);
    if (call->block == NULL || !find_holes(call, places)) {
        if (call->block == NULL)
            PyErr_NoMemory();
        else
            PyErr_SetString(PyExc_ValueError,
                            "only arrays before any tuple can be left open, and four at most");
        Py_DECREF(call);
        return NULL;
    }
    memcpy(call->block, block, call->num_words * sizeof *block);
    call->method = (PyMethodDef){"kernel", (PyCFunction)(void (*)(void))run_prepared, METH_FASTCALL,
                                 "A kernel with most of its arguments."};
    return function_of((PyObject *)call, &call->method);
}

/* prepared(kernel, arguments, places): a kernel that `callable` has given, for these arguments but
 * for the arrays in some places; None if it is no such kernel, or has no form that fits. */
PyObject *make_prepared(PyObject *module, PyObject *given)
{
    PyObject *kernel, *arguments, *places;
    if (!PyArg_ParseTuple(given, "OO!O!", &kernel, &PyTuple_Type, &arguments, &PyTuple_Type,
                          &places))
        return NULL;
    int64_t block[MOST_WORDS];
    Door *door = door_of(kernel);
    Form *form = door ? form_for(door, arguments, block) : NULL;
    if (form == NULL)
        Py_RETURN_NONE;
    return prepared_for(door, form, arguments, block, places);
}

static PyType_Slot slots[] = {{Py_tp_dealloc, free_prepared}, {0, NULL}};
PyType_Spec prepared_spec = {"domino_env.compiling._object_code.Prepared", sizeof(Prepared), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
