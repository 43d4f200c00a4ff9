"""Code of the model's own is no attempt; a tool of its invention, written as a call, is one."""

from __future__ import annotations

import pytest

from faircall.gate import judge
from faircall.gate.own_code import read_code
from faircall.types import State

TOOL = {
    "name": "get_moon_phase",
    "parameters": {"type": "object", "properties": {"date": {"type": "string"}}},
}

OWN = [
    "```python\ndf = pd.read_csv('x.csv')\ndf.sort_values(by='x', inplace=True)\n```",
    "```python\nimg = Image.open('x.png')\nimg.save('y.png', quality=90)\n```",
    "```python\nfrom PIL import Image\nImage.new(mode='RGB', size=(8, 8))\n```",
    "def area\\_of\\_cone(radius, height):\n    return radius ** 2 * height\n\narea\\_of\\_cone(radius=3, height=5)",
    "```r\nggplot(df, aes(x = a, y = b)) +\n  geom_point(size = 2)\n```",
    '```kotlin\nText(text = "Hi", modifier = Modifier.padding(8.dp))\n```',
    '```swift\nVStack(alignment: .leading, spacing: 4) { Text("Hi") }\n```',
    "```jsx\nimport React from 'react';\n\nReactDOM.render(\n  <App />,\n  document.getElementById('root')\n);\n```",
    '```python\nfilms = [\n    "Alien (1979)",\n    "Moon (2009)",\n]\n```',
    "Use `pd.merge(a, b, on='id')` and then `df.groupby(by='month')`.",
    "X ~ Binomial(n=10, p=0.5), so E[X] = 5.",
    "The average (3.5) of a search (2019).",
]
INVENTED = [
    "Here is the call:\n\nfind_hotels(city='Oslo', stars=4)",
    "```python\nreturn math.solve_quadratic(a=1, b=2, c=3)\n```",
    "```python\nresult = calendar.create_event(title='x', day='Monday')\nprint(result)\n```",
    "I would rather use this one: [find_hotels(city='Oslo'), book_hotel(id=1)]",
    "['find_hotels'(city='Oslo')]",
]


@pytest.mark.parametrize("output", OWN)
def test_own_code_abstains(output: str) -> None:
    assert judge(output, [TOOL], decoder="hermes").state is State.ABSTAINED


@pytest.mark.parametrize("output", INVENTED)
def test_an_invented_tool_is_an_attempt(output: str) -> None:
    assert judge(output, [TOOL], decoder="hermes").state is State.MALFORMED


def test_an_offered_tool_is_an_attempt_inside_any_code() -> None:
    code = "import math\n\nphases = []\nfor day in days:\n    phases.append(get_moon_phase(day, detail=True))"
    assert judge(f"```python\n{code}\n```", [TOOL], decoder="hermes").state is State.MALFORMED


def test_what_a_text_makes_for_itself() -> None:
    code = read_code("from tools import x\ndf = load()\ndef f(y):\n    return y\n\n```sql\nSELECT 1\n```")
    assert code.defined == {"f"}
    assert code.assigned == {"df"}
    assert code.has_made("df.head")
    assert not code.has_made("other.head")
    assert code.from_namespace
    assert len(code.foreign) == 1
