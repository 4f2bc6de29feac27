"""The Python that the site prints, by name: <lesson>/code, <lesson>/mend, <lesson>/ask and questions/<id>, and the hash of each text.

`../samples.test.ts` finds the same texts in the same way, and compares the hashes.
"""

import hashlib
import re
from pathlib import Path

LESSONS = Path(__file__).parent.parent
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUESTION = re.compile(r"\{#([a-z0-9-]+)\}$", re.MULTILINE)
ASK = re.compile(r"^ask: \|\n((?:  .*\n|\n)+)", re.MULTILINE)


def texts() -> dict[str, str]:
    found = {f"{file.parent.parent.name}/code": file.read_text() for file in LESSONS.glob("*/code/pytorch.py")}
    for file in LESSONS.glob("*/mend/mend.md"):
        for block in BLOCK.findall(file.read_text()):
            found[f"{file.parent.parent.name}/mend"] = block
    for file in LESSONS.glob("*/lesson.md"):
        for block in ASK.findall(file.read_text()):
            found[f"{file.parent.name}/ask"] = re.sub(r"^  ", "", block, flags=re.MULTILINE)
    for section in re.split(r"^### ", (LESSONS / "questions.md").read_text(), flags=re.MULTILINE):
        for block in BLOCK.findall(section):
            found[f"questions/{QUESTION.search(section)[1]}"] = block
    return dict(sorted(found.items()))


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
