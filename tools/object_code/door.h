/* What the files of the door share: see door.c. */
#pragma once
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

/* forms.c */
extern PyObject *ndarray, *numpy_bool;
int64_t *put_array(Slot *slot, PyObject *value, int64_t *at);
int num_words(Form *form);
int fits(Form *form, PyObject *const *arguments, Py_ssize_t number, int64_t *block);
Form *form_for(Door *door, PyObject *arguments, int64_t *block);
PyObject *answer(Form *form, int64_t *block);
int read_form(PyObject *said, Form *form);
void free_form(Form *form);

/* door.c */
extern PyTypeObject *door_type;
Door *door_of(PyObject *kernel);
PyObject *new_object(PyTypeObject *type);
PyObject *function_of(PyObject *self, PyMethodDef *method);
void free_object(PyObject *self);

/* prepared.c, pool.c */
extern PyType_Spec prepared_spec, pool_spec;
extern PyTypeObject *prepared_type, *pool_type;
PyObject *make_prepared(PyObject *module, PyObject *given);
PyObject *make_workers(PyObject *module, PyObject *given);
