/* Kernels in several threads: each does a part of the work, with arguments of its own. */
#include "door.h"
#include "workers.h"

typedef struct {
    PyObject_HEAD
    Workers *workers;
    int number; /* of threads, with the one that calls */
    PyMethodDef method;
} Pool;

enum { MOST_THREADS = 1024 };

PyTypeObject *pool_type;

/* Lays out all parts, one block after the other; NULL if one has no form, or another than the rest. */
static int64_t *lay_out(Door *door, PyObject *parts, Form **form)
{
    int64_t block[MOST_WORDS], *blocks = NULL;
    for (Py_ssize_t i = 0; i < PyTuple_Size(parts); i++) {
        Form *found = form_for(door, PyTuple_GetItem(parts, i), block);
        if (i == 0 && found) {
            *form = found;
            blocks = PyMem_Malloc(PyTuple_Size(parts) * num_words(found) * sizeof *block);
        }
        if (blocks == NULL || found != *form) {
            PyMem_Free(blocks);
            return NULL;
        }
        memcpy(blocks + i * num_words(found), block, num_words(found) * sizeof *block);
    }
    return blocks;
}

static PyObject *answers_of(Form *form, int64_t *blocks, Py_ssize_t number)
{
    PyObject *all = PyList_New(number);
    for (Py_ssize_t i = 0; all && i < number; i++) {
        PyObject *one = answer(form, blocks + i * num_words(form));
        if (one == NULL)
            Py_CLEAR(all);
        else
            PyList_SetItem(all, i, one);
    }
    return all;
}

static PyObject *run_blocks(Pool *pool, Form *form, int64_t *blocks, int parts)
{
    if (workers_begin(pool->workers, parts) < 0) {
        PyErr_SetString(PyExc_RuntimeError, "can't start new thread");
        return NULL;
    }
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = workers_run(pool->workers, form->code, blocks, num_words(form), parts);
    Py_END_ALLOW_THREADS
    if (failed) {
        PyErr_SetString(PyExc_RuntimeError, "a compiled kernel has failed");
        return NULL;
    }
    return answers_of(form, blocks, parts);
}

/* run(kernel, parts): what the kernel answers for each tuple of arguments; None if it is none that
 * `callable` has given, or has no form for them, and then nothing is done. */
static PyObject *run(PyObject *self, PyObject *const *given, Py_ssize_t number)
{
    Pool *pool = (Pool *)self;
    Door *door = number == 2 ? door_of(given[0]) : NULL;
    if (door == NULL || !PyTuple_Check(given[1]))
        Py_RETURN_NONE;
    Py_ssize_t parts = PyTuple_Size(given[1]);
    if (parts < 1 || parts > pool->number)
        Py_RETURN_NONE;
    Form *form = NULL;
    int64_t *blocks = lay_out(door, given[1], &form);
    if (blocks == NULL)
        Py_RETURN_NONE;
    PyObject *found = run_blocks(pool, form, blocks, (int)parts);
    PyMem_Free(blocks);
    return found;
}

static void free_pool(PyObject *self)
{
    Pool *pool = (Pool *)self;
    if (pool->workers)
        workers_free(pool->workers);
    free_object(self);
}

/* workers(number, patience): so many threads, with the one that calls: a function that runs kernels
 * in them, see above. They look out for work for so many nanoseconds before they sleep. */
PyObject *make_workers(PyObject *module, PyObject *given)
{
    int number;
    long long patience;
    if (!PyArg_ParseTuple(given, "iL", &number, &patience))
        return NULL;
    if (number < 1 || number > MOST_THREADS)
        return PyErr_Format(PyExc_ValueError, "threads are 1 to %d, not %d", MOST_THREADS, number);
    Pool *pool = (Pool *)new_object(pool_type);
    if (pool == NULL)
        return NULL;
    pool->number = number;
    pool->workers = workers_new(number - 1, patience);
    if (pool->workers == NULL) {
        Py_DECREF(pool);
        return PyErr_NoMemory();
    }
    pool->method = (PyMethodDef){"run", (PyCFunction)(void (*)(void))run, METH_FASTCALL,
                                 "Runs a kernel in several threads."};
    return function_of((PyObject *)pool, &pool->method);
}

static PyType_Slot slots[] = {{Py_tp_dealloc, free_pool}, {0, NULL}};
PyType_Spec pool_spec = {"domino_env.compiling._object_code.Workers", sizeof(Pool), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
