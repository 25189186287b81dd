"""The batches of training: examples drawn at random and tokenized, ahead of the steps by processes of their own."""
import multiprocessing
import random

import examples
from encoder import grouped, tokenized

QUERY, TEXT, HYPOTHESIS, ASKED, FACET = 56, 110, 56, 48, 80  # token limits


class Batches:
    """Draws what a step needs.

    mix      how many claims: gathered, plain, inferred and with passages
    masked   share of a text's tokens that are replaced by [MASK], for texts for and against
    growth, multiple  those of encoder.grouped
    """

    def __init__(self, tokenizer, mix, masked=0.0, growth=1.1, multiple=1):
        self.tokenizer, self.mix, self.masked, self.growth, self.multiple = tokenizer, mix, masked, growth, multiple
        self.groups, self.weights = examples.gathered()
        self.plain, self.inferred, self.passages = (x[0] for x in (examples.written("plain"), examples.written("inferred"), examples.passages()))
        self.premises, self.subjects = examples.nli(), examples.facets()[0]
        self.known = {}  # token ids of the texts that were drawn before

    def __str__(self):
        return f"{len(self.groups)} gathered claims, {len(self.plain)} + {len(self.inferred)} + {len(self.passages)} written, {len(self.premises)} premises, {len(self.subjects)} subjects"

    def draw(self, rng, step):
        """The stance part of a step, (asked, texts, hypotheses) as numbers of texts and the groups of them, and the facet part or None."""
        rows = self.claims(rng)
        asked = [r[0] for r in rows] + [r[1] for r in rows]
        texts = [r[side][k] for side in (2, 3) for k in (0, 1) for r in rows] + [t for r in rows if rng.random() < 0.5 for t in r[4]]
        hypotheses = self.hypotheses(rng, sum(self.mix) // 2) if step % 3 == 0 else []
        ids = self.ids(asked, QUERY) + [self.mask(rng, x) for x in self.ids(texts, TEXT)] + self.ids(hypotheses, HYPOTHESIS)
        stance = [len(asked), len(texts), len(hypotheses)], grouped(ids, self.growth, self.multiple)
        if step % 3 != 1:
            return stance, None
        asked, texts = self.facets(rng, max(5, sum(self.mix) // 3))
        return stance, grouped(self.ids(asked, ASKED) + self.ids(texts, FACET), self.growth, self.multiple)

    def claims(self, rng):
        gathered, plain, inferred, passages = self.mix
        drawn = {id(g): g for g in rng.choices(self.groups, self.weights, k=gathered)}.values()
        rows = [examples.stance_example(rng, g, True) for g in drawn]
        rows += [examples.stance_example(rng, g, False) for g in rng.sample(self.plain, plain) + rng.sample(self.inferred, inferred)]
        return rows + [examples.passage_example(rng, g) for g in rng.sample(self.passages, passages)]

    def hypotheses(self, rng, size):
        """Premises, then what they entail and what they contradict, each asked for and against."""
        drawn = rng.sample(self.premises, size)
        yes, no = (t.format for t in (rng.choice(examples.SUPPORT) if rng.random() < 0.6 else examples.SUPPORT[0]))
        e, c = [rng.choice(x[1]) for x in drawn], [rng.choice(x[2]) for x in drawn]
        return [x[0] for x in drawn] + [yes(t) for t in e] + [no(t) for t in e] + [yes(t) for t in c] + [no(t) for t in c]

    def facets(self, rng, size):
        asked, texts = [], []
        for root, items in rng.sample(self.subjects, size):
            for ways, text in items:
                way = rng.choice(ways[:-1]) if rng.random() < 0.75 else ways[-1]
                asked.append(rng.choice(examples.ASK).format(ask=way, root=root))
                texts.append(text)
        return asked, texts

    def ids(self, texts, limit):
        new = [t for t in dict.fromkeys(texts) if (t, limit) not in self.known]
        if new:
            self.known.update(zip([(t, limit) for t in new], tokenized(self.tokenizer, new, [limit] * len(new))))
        return [self.known[t, limit] for t in texts]

    def mask(self, rng, ids):
        if not self.masked:
            return ids
        other = self.tokenizer.token_to_id("[MASK]")
        return ids[:1] + [other if rng.random() < self.masked else x for x in ids[1:-1]] + ids[-1:]

    def ahead(self, seed, processes):
        """Endless parts of steps, drawn by so many processes; 0 draws each when it is asked for."""
        if not processes:
            return self.endless(seed, 0, 1)
        queues = [multiprocessing.Queue(6) for _ in range(processes)]
        for i, queue in enumerate(queues):
            multiprocessing.Process(target=self.fill, args=(queue, seed, i, processes), daemon=True).start()
        return (queue.get() for _ in iter(int, 1) for queue in queues)

    def fill(self, queue, seed, first, processes):
        for part in self.endless(seed, first, processes):
            queue.put(part)

    def endless(self, seed, first, processes):
        rng, step = random.Random(f"{seed} {first}"), first
        while True:
            yield self.draw(rng, step)
            step += processes
