/**
 * The Python that the site prints, by name: <lesson>/code, <lesson>/mend, <lesson>/ask,
 * questions/<id>. `../texts.py` finds the same texts for the GPU machine.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const LESSONS = 'src/lessons'
const BLOCK = /^```python\n(.*?)^```$/gms
const ASK = /^ask: \|\n((?: {2}.*\n|\n)+)/m

export interface Printed {
  readonly text: string
  readonly hash: string
  /** All that stands beside it: the file that it is in, and the lesson's other words. */
  readonly beside: string
}

const printed = (text: string, beside: string): Printed => ({
  text,
  hash: createHash('sha256').update(text).digest('hex').slice(0, 16),
  beside,
})

const read = (file: string) => readFileSync(`${LESSONS}/${file}`, 'utf8')

/** Files of words with blocks of code that are no sample here: there should be none. */
export const blocksElsewhere = (): readonly string[] =>
  readdirSync(LESSONS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && !file.endsWith('/mend/mend.md') && !file.endsWith('README.md'))
    .filter((file) => file !== 'questions.md')
    .filter((file) => /^```/m.test(read(file)))

function* ofLesson(lesson: string): Generator<readonly [name: string, sample: Printed]> {
  const words = [read(`${lesson}/lesson.md`), read('questions.md')].join('\n')
  const ask = ASK.exec(words)?.[1]
  if (ask !== undefined) yield [`${lesson}/ask`, printed(ask.replace(/^ {2}/gm, ''), words)]
  for (const [kind, file] of [
    ['code', `${lesson}/code/pytorch.py`],
    ['mend', `${lesson}/mend/mend.md`],
  ] as const) {
    if (!existsSync(`${LESSONS}/${file}`)) continue
    const content = read(file)
    const texts = kind === 'code' ? [content] : [...content.matchAll(BLOCK)].map((match) => match[1] ?? '')
    for (const text of texts) yield [`${lesson}/${kind}`, printed(text, `${content}\n${words}`)]
  }
}

function* ofQuestions(): Generator<readonly [name: string, sample: Printed]> {
  for (const section of read('questions.md').split(/^### /m)) {
    const id = /\{#([a-z0-9-]+)\}$/m.exec(section)?.[1] ?? ''
    for (const [, text = ''] of section.matchAll(BLOCK)) yield [`questions/${id}`, printed(text, section)]
  }
}

export const printedSamples = (): ReadonlyMap<string, Printed> =>
  new Map([
    ...readdirSync(LESSONS)
      .filter((lesson) => existsSync(`${LESSONS}/${lesson}/lesson.md`))
      .flatMap((lesson) => [...ofLesson(lesson)]),
    ...ofQuestions(),
  ])
