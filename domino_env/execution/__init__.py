"""Execution: independent tasks on threads or on a Ray cluster, with the same results."""

from typing import TYPE_CHECKING

from domino_env.lazy import lazy_exports

if TYPE_CHECKING:
    from domino_env.execution.executor import Executor as Executor
    from domino_env.execution.executor import ExecutorFactory as ExecutorFactory
    from domino_env.execution.executor import TaskSource as TaskSource
    from domino_env.execution.executor import run_tasks as run_tasks
    from domino_env.execution.executor import thread_executor as thread_executor

_EXPORTS = {
    "Executor": "executor",
    "ExecutorFactory": "executor",
    "TaskSource": "executor",
    "run_tasks": "executor",
    "thread_executor": "executor",
}
__all__ = [*_EXPORTS]
__getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
