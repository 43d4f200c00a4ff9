"""How boards make their overall score: recipes, which are trees of averages kept in TOML files."""

from __future__ import annotations

from faircall.composition.recipes import DEFAULT_RECIPE as DEFAULT_RECIPE
from faircall.composition.recipes import load_recipe as load_recipe
from faircall.composition.recipes import recipe_names as recipe_names
from faircall.composition.tree import Average as Average
from faircall.composition.tree import Node as Node
from faircall.composition.tree import Printed as Printed
from faircall.composition.tree import Rebuilt as Rebuilt
from faircall.composition.tree import Recipe as Recipe
from faircall.composition.tree import agrees as agrees
from faircall.composition.tree import average as average
from faircall.composition.tree import evaluate as evaluate
