/* The door from Python to the object code of the kernels: one function for each kernel, which looks
 * at its arguments, lays them out as machine words, lets go of the interpreter, and calls the code.
 *
 * Only the stable interface of Python is used, so one build serves every version from 3.11 on.
 * `domino_codes` and `domino_table` come with the object code.
 */
#include "door.h"

PyTypeObject *door_type;

/* What the functions of this library are made of ---------------------------------------------- */

PyObject *new_object(PyTypeObject *type)
{
    allocfunc get = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return get(type, 0);
}

/* A function that keeps its object; it takes the caller's reference to that. */
PyObject *function_of(PyObject *self, PyMethodDef *method)
{
    PyObject *found = PyCFunction_NewEx(method, self, NULL);
    Py_DECREF(self);
    return found;
}

void free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* What `callable` has made a function of, or NULL. */
Door *door_of(PyObject *kernel)
{
    PyObject *self = PyCFunction_Check(kernel) ? PyCFunction_GetSelf(kernel) : NULL;
    return self && Py_TYPE(self) == door_type ? (Door *)self : NULL;
}

/* Kernels -------------------------------------------------------------------------------------- */

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

static void free_door(PyObject *self)
{
    Door *door = (Door *)self;
    for (int i = 0; i < door->num_forms; i++)
        free_form(door->forms + i);
    PyMem_Free(door->forms);
    Py_XDECREF(door->otherwise);
    free_object(self);
}

/* callable(forms, otherwise): a form is (number of the code, kind of the result, slots); `otherwise`
 * is called where no form fits. */
static PyObject *make_callable(PyObject *module, PyObject *arguments)
{
    PyObject *forms, *otherwise;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyTuple_Type, &forms, &otherwise))
        return NULL;
    Door *door = (Door *)new_object(door_type);
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
    return function_of((PyObject *)door, &door->method);
}

/* The library ---------------------------------------------------------------------------------- */

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
static PyMethodDef methods[] = {
    {"callable", make_callable, METH_VARARGS, "A kernel that Python can call."},
    {"prepared", make_prepared, METH_VARARGS, "A kernel with most of its arguments."},
    {"workers", make_workers, METH_VARARGS, "Threads that run kernels."},
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
    door_type = (PyTypeObject *)PyType_FromSpec(&door_spec);
    prepared_type = (PyTypeObject *)PyType_FromSpec(&prepared_spec);
    pool_type = (PyTypeObject *)PyType_FromSpec(&pool_spec);
    if (ndarray == NULL || numpy_bool == NULL || door_type == NULL || prepared_type == NULL ||
        pool_type == NULL)
        return NULL;
    return PyModule_Create(&definition);
}
