"""Calls that their sentence declines, in many languages, and sentences whose negation is about something else."""

from __future__ import annotations

import pytest

from faircall.gate import judge
from faircall.types import Reason, State

CALL = "rent_bicycle(station='Ghent', hours=2)"

DECLINED = [
    "I am not calling {}.",
    "I decided against calling {}.",
    "There's no reason to call {}.",
    "It makes no sense to call {}.",
    "You don't want {} here.",
    "{} isn't what you need.",
    "Calling {} would be a mistake.",
    "Neither {} nor anything else applies.",
    "Do not use {}!",
    "Jeg vil ikke kalle {} her.",
    "Ég kalla ekki á {}.",
    "Jag tänker inte anropa {}.",
    "Ik zal {} niet gebruiken.",
    "{} sollte hier nicht verwendet werden.",
    "Nu voi apela {}, deoarece întrebarea este despre bărci.",
    "No voy a llamar a {}.",
    "Il n'est pas utile d'appeler {} ici.",
    "Não é necessário chamar {} neste caso.",
    "Nebudem volať {}.",
    "Ne bom poklical {}, ker gre za čolne.",
    "Вызов {} здесь не требуется.",
    "Nem hívom meg a {} függvényt.",
    "Ma ei kutsu {}.",
    "לא אקרא ל-{} כי השאלה על סירות.",
    "من {} را فراخوانی نمی‌کنم.",
    "मैं {} को कॉल नहीं करूँगा।",
    "ฉันจะไม่เรียก {} เพราะคำถามเกี่ยวกับเรือ",
    "Saya tidak akan memanggil {} karena pertanyaannya tentang perahu.",
    "没有必要调用 {}。",
    "{} を呼び出す必要はありません。",
    "{} 호출은 필요하지 않습니다.",
    "{} çağrısı yapmayacağım.",
]
MADE = [
    "No problem, calling {} now.",
    "Not a boat, but a bike: {}",
    "I don't have boats, so I'll call {} instead.",
    "Nothing stops me from calling {}.",
    "I cannot but call {}.",
    "I will not only call {} but also wait.",
    "I do not need more information to call {}.",
    "Je ne peux pas louer de bateau, donc j'appelle {}.",
    "No hay barcos; llamo a {}.",
    "Kein Problem, ich rufe {} auf.",
    "Ich habe keine Boote, rufe aber {} auf.",
    "Нет проблем, вызываю {}.",
    "不过我可以调用 {}。",
    "問題ありません。{} を呼び出します。",
    "안녕하세요, {} 를 호출합니다.",
    "Saya panggil {} tanpa menunggu.",
    "Wywołuję {}.",
    "{} çağırıyorum.",
]


@pytest.mark.parametrize("sentence", DECLINED)
def test_a_call_that_is_declined_is_none(sentence: str) -> None:
    assert judge(sentence.replace("{}", CALL), ["rent_bicycle"], decoder="python").state is State.ABSTAINED


@pytest.mark.parametrize("sentence", MADE)
def test_a_negation_of_something_else_credits_no_call(sentence: str) -> None:
    assert judge(sentence.replace("{}", CALL), ["rent_bicycle"], decoder="python").state is State.MALFORMED


@pytest.mark.parametrize("decoder", ["python", "hermes"])
@pytest.mark.parametrize(
    "output",
    [
        f"[{CALL}]\n\nThe function is not suitable for boats.",
        f"I will not guess your station.\n\n[{CALL}]",
        '<tool_call>\n{"name": "rent_bicycle", "arguments": {"hours": 2}\n</tool_call>\nThis is not of much use.',
    ],
)
def test_a_call_that_stands_by_itself_is_made_whatever_is_said_around_it(output: str, decoder: str) -> None:
    assert judge(output, ["rent_bicycle"], decoder=decoder).state is State.MALFORMED


def test_a_negation_too_far_from_the_call_leaves_it_unclear() -> None:
    text = f"No es necesario llamar a la función {CALL}."
    assert judge(text, ["rent_bicycle"], decoder="python").reason is Reason.UNCLEAR
