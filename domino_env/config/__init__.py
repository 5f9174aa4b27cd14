"""Settings from YAML files and the command line, and the configs that come with the package."""

from typing import TYPE_CHECKING

from domino_env.lazy import lazy_exports

if TYPE_CHECKING:
    from domino_env.config.game_settings import house_rules as house_rules
    from domino_env.config.loader import as_dict as as_dict
    from domino_env.config.loader import check as check
    from domino_env.config.loader import load as load
    from domino_env.config.loader import setting as setting
    from domino_env.config.loader import with_changes as with_changes
    from domino_env.config.yaml_source import BadSetting as BadSetting
    from domino_env.config.yaml_source import about as about

_EXPORTS = {
    "BadSetting": "yaml_source",
    "about": "yaml_source",
    "as_dict": "loader",
    "check": "loader",
    "house_rules": "game_settings",
    "load": "loader",
    "setting": "loader",
    "with_changes": "loader",
}
__all__ = [*_EXPORTS]
__getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
