"""The rows that the reader of queries learns from: what a query's root is, what it asks for, and how rows are varied."""
import json
import random
import re

ARTICLES = {"a", "an", "the"}

# Files of perspective/testdata. Those of BLIND were written without sight of the grammar.
WITH_GRAMMAR = ("phrasings.jsonl", "questions.txt")
BLIND = [("blind-phrasings.jsonl", "blind-questions.txt"), ("seventh-phrasings.jsonl", "seventh-questions.txt")]
MORE = "rows.jsonl.xz"  # more such rows, beside this file; the root of an ordinary query is empty
NAMES = "eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
MEASURED = [(f"{name}-phrasings.jsonl", f"{name}-questions.txt") for name in NAMES.split()]


def words(query):
    """The words of a query with their places, as perspective.Words cuts it: a mark is a word of its own."""
    return [(m.start(), m.end()) for m in re.finditer(r"[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+|[\x21-\x7e]", query)]


def is_mark(word):
    return not re.search(r"[^\W_]", word)


def tagged(query, root):
    """For each word 1 if it belongs to the root, 0 if not, and None for articles and marks, which do not matter."""
    texts = [query[a:b].lower() for a, b in words(query)]
    content = [i for i, w in enumerate(texts) if not is_mark(w) and w not in ARTICLES]
    want = [w for w in (root[a:b].lower() for a, b in words(root)) if not is_mark(w) and w not in ARTICLES]
    tags = [0 if i in content else None for i in range(len(texts))]
    have = [texts[i] for i in content]
    for start in range(len(have) - len(want), -1, -1):  # the last place, if there are two
        if have[start : start + len(want)] == want:
            chosen = content[start : start + len(want)]
            break
    else:  # words were left out, such as a negation
        chosen, at = [], len(want)
        for i in reversed(content):
            if at > 0 and texts[i] == want[at - 1]:
                chosen.append(i)
                at -= 1
        if at > 0:
            raise ValueError(f"the root {root!r} is not in {query!r}")
    for i in chosen:
        tags[i] = 1
    return tags


def parsed(lines):
    """(query, root, label) of each line of JSON; the label of an ordinary query is empty."""
    rows = [json.loads(line) for line in lines]
    return [(r["query"], r["root"], f'{r["perspective"]}:{r["side"]}'.removesuffix(":")) for r in rows]


def read_rows(folder, requests, questions):
    """The rows of a file of requests and a file of ordinary questions."""
    return parsed(open(folder / requests)) + [(line.rstrip("\n"), "", "") for line in open(folder / questions) if line.strip()]


def statements(corpus):
    """The sentences of a corpus. A statement asks for no perspective, even if it has one."""
    for line in open(corpus):
        for sentence in re.split(r"(?<=[.!?])\s+", json.loads(line)["text"]):
            if 5 <= len(sentence.split()) <= 35:
                yield sentence, "", ""


# Words by which a root of three words or more is likely a whole sentence.
FINITE = set("should is are was were must can could will would has have had does do did need needs deserve ought may might cannot cause causes make makes".split())


def form(root):
    """What stands in for a root without harm: a sentence, a word in -ing, an infinitive, or a noun with what belongs to it."""
    parts = root.lower().split()
    if len(parts) > 2 and FINITE & set(parts[1:]):
        return "sentence"
    return "to" if parts[0] == "to" else "ing" if parts[0].endswith("ing") and len(parts[0]) > 4 else "noun"


def swapped(rows, times):
    """Requests with the roots of others of the same form, and hardly longer or shorter."""
    found, roots = [], {}
    for query, root, label in rows:
        at = query.lower().rfind(root.lower()) if label else -1
        whole = at >= 0 and not query[at - 1 : at].isalnum() and not query[at + len(root) : at + len(root) + 1].isalnum()
        if whole:
            found.append((query[:at], root, query[at + len(root) :], label))
            roots.setdefault(form(root), []).append(root)
    for before, root, after, label in found:
        for _ in range(times):
            other = random.choice(roots[form(root)])
            if abs(len(other.split()) - len(root.split())) <= 3 and other.lower() != root.lower():
                yield before + other + after, other, label


def varied(rows):
    """Rows, of which some have other marks or lack their apostrophes."""
    for query, root, label in rows:
        other, chance = query, random.random()
        if chance < 0.1:
            other = re.sub(r"[.?!]*$", random.choice(["", "", ".", "?", "!"]), query)
        elif chance < 0.125:
            other = re.sub(r"[,;:.?!] ", " ", query)
        elif chance < 0.15:
            other = re.sub(r"[,:;] ", lambda _: random.choice([", ", ": ", " - ", "; "]), query)
        elif chance < 0.27:
            other = query.replace("'", "")
        of_other = root.replace("'", "") if "'" not in other else root
        try:
            if of_other:
                tagged(other, of_other)
            yield other, of_other, label
        except ValueError:  # the root itself was changed
            yield query, root, label
