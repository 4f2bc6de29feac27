/**
 * `choices.md` beside a lesson as a module: the loop and its choices, coloured, with what was recorded of each (src/ui/mend/choices-of.ts).
 * Profiles are read while the site is built: the visitor loads their first steps alone.
 */
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { readProfile } from '../src/state/profile'
import { storyOfProfiles } from '../src/state/profile-story'
import type { Choices } from '../src/ui/mend/choices-of'
import { highlight } from './highlight'
import { quotable, readLessons } from './words-md'
import { WordsFault } from './words/blocks'
import { parseChoices, type ChoicesWords } from './words/choices'

const PUBLIC = join(import.meta.dirname, '..', 'public')
/** Of the slowest choice, in view. */
const STEPS = 3

async function profileOf({ label, file }: ChoicesWords['choices'][number]) {
  const read = await readProfile(new Uint8Array(await readFile(join(PUBLIC, 'recordings', file))), 'recorded')
  if (!read.ok || read.value.figures.kernelRatio === null) throw new Error(`${file} is no profile of a GPU.`)
  return { name: label, profile: read.value, share: read.value.figures.kernelRatio }
}

async function choicesOf(source: string, file: string): Promise<Choices> {
  const id = basename(dirname(file))
  const lesson = (await readLessons()).find((each) => each.id === id)
  const cuda = lesson?.kind === 'experiment' ? lesson.cuda : undefined
  const script = cuda ? await readFile(join(PUBLIC, 'companion', cuda.script), 'utf8') : ''
  const words = parseChoices(source, file, { cuda, script, recordings: await quotable() })
  const read = await Promise.all(words.choices.map(profileOf))
  const coloured = async (lines: readonly string[]) =>
    lines.length === 0 ? [] : await highlight(lines.join('\n'), 'loop.py')
  return {
    question: words.question,
    intro: words.intro,
    before: await coloured(words.before),
    after: await coloured(words.after),
    script: cuda?.script ?? '',
    choices: await Promise.all(
      words.choices.map(async ({ label, file: recorded, why }, at) => ({
        label,
        lines: await coloured(words.open[at] ?? []),
        recording: recorded.replace(/\.json\.gz$/, ''),
        share: read[at]?.share ?? 0,
        origin: read[at]?.profile.origin ?? { device: '', date: '', software: '' },
        why,
      })),
    ),
    story: storyOfProfiles(read, STEPS),
  }
}

export const recordedChoices = (): Plugin => ({
  name: 'recorded-choices',
  enforce: 'pre',
  async transform(source, file) {
    if (basename(file) !== 'choices.md') return null
    try {
      return {
        code: `export const choices = ${JSON.stringify(await choicesOf(source, file))}`,
        moduleType: 'js',
        map: null,
      }
    } catch (thrown) {
      if (!(thrown instanceof WordsFault)) throw thrown
      return this.error({ message: thrown.what, loc: { file: thrown.file, line: thrown.line, column: 0 } })
    }
  },
})
