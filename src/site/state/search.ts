/**
 * Ranks questions, lessons and words of the glossary for what was typed (`virtual:search-index`).
 * Pure.
 */

export interface Entry {
  readonly kind: 'question' | 'lesson' | 'word'
  /** Of a question its slug, of the others their id. */
  readonly id: string
  readonly title: string
  /** What is shown of it. */
  readonly shown: string
  /** What else is searched. */
  readonly more: string
}

/** Words that most questions have. */
const COMMON = new Set(
  'a an and are at be by can do does for from gpu how i in is it my of on or so that the this to torch what when why with'.split(
    ' ',
  ),
)

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const TITLE = { whole: 12, start: 8, within: 5 }
const TEXT = { whole: 3, start: 2, within: 1 }

function scoreIn(words: readonly string[], term: string, worth: typeof TITLE): number {
  if (words.includes(term)) return worth.whole
  if (words.some((word) => word.startsWith(term))) return worth.start
  // 'synchronize' in 'cudastreamsynchronize'
  return term.length > 2 && words.some((word) => word.includes(term)) ? worth.within : 0
}

/** Best first. Where nothing has every term, what has most of them. */
export function search(entries: readonly Entry[], typed: string): readonly Entry[] {
  const all = [...new Set(wordsOf(typed))]
  const telling = all.filter((word) => !COMMON.has(word))
  const terms = telling.length > 0 ? telling : all
  if (terms.length === 0) return []
  const ranked = entries
    .map((entry) => {
      const [title, text] = [wordsOf(entry.title), wordsOf(`${entry.shown} ${entry.more}`)]
      const scores = terms.map((term) => scoreIn(title, term, TITLE) + scoreIn(text, term, TEXT))
      return {
        entry,
        found: scores.filter((score) => score > 0).length,
        score: scores.reduce((sum, score) => sum + score, 0),
      }
    })
    .filter(({ found }) => found > 0)
  const most = Math.max(...ranked.map(({ found }) => found))
  return ranked
    .filter(({ found }) => found === most)
    .toSorted((one, other) => other.score - one.score)
    .map(({ entry }) => entry)
}
