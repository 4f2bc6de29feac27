/**
 * `choices.md` beside a lesson as a module: the loop and its choices, coloured, with what was recorded of each (src/site/exercise/choices-of.ts).
 * Profiles are read while the site is built: the visitor loads their first steps alone.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { readProfile } from '../src/site/state/profile'
import { excerptOfProfiles } from '../src/strips/of-profiles'
import type { Choices } from '../src/site/exercise/choices-of'
import { figuresFile, figuresFor } from './figures'
import { highlight } from './highlight'
import { recordingBytes } from './recording-bytes'
import { quotable } from './words-md'
import { WordsFault } from './words/blocks'
import { parseChoices, type ChoicesWords } from './words/choices'
import { namesOf } from './words/named'

const PUBLIC = join(import.meta.dirname, '..', 'public')
/** Of the slowest choice, in view. */
const STEPS = 3

async function profileOf({ label, file }: ChoicesWords['choices'][number]) {
  const read = await readProfile(recordingBytes(file), 'recorded')
  if (!read.ok || read.value.figures.stepMs === null) throw new Error(`${file} is no profile of steps.`)
  const { stepMs, kernelRatio } = read.value.figures
  return { name: label, profile: read.value, stepMs, share: kernelRatio }
}

async function choicesOf(source: string, file: string): Promise<Choices> {
  const companion = (script: string) => join(PUBLIC, 'companion', script)
  const words = parseChoices(source, file, {
    lesson: basename(dirname(file)),
    textOf: (script) => (existsSync(companion(script)) ? readFileSync(companion(script), 'utf8') : undefined),
    isRecorded: (recorded) => existsSync(join(PUBLIC, 'recordings', recorded)),
    names: namesOf(await figuresFor(file)),
    recordings: await quotable(),
  })
  const read = await Promise.all(words.choices.map(profileOf))
  const coloured = async (lines: readonly string[]) =>
    lines.length === 0 ? [] : await highlight(lines.join('\n'), 'loop.py')
  return {
    question: words.question,
    intro: words.intro,
    before: await coloured(words.before),
    after: await coloured(words.after),
    script: words.script,
    choices: await Promise.all(
      words.choices.map(async ({ label, file: recorded, why }, at) => ({
        label,
        lines: await coloured(words.open[at] ?? []),
        recording: recorded.replace(/\.json\.gz$/, ''),
        stepMs: read[at]?.stepMs ?? 0,
        share: read[at]?.share ?? null,
        origin: read[at]?.profile.origin ?? { device: '', date: '', software: '' },
        why,
      })),
    ),
    excerpt: excerptOfProfiles(read, STEPS),
  }
}

export const recordedChoices = (): Plugin => ({
  name: 'recorded-choices',
  enforce: 'pre',
  transform: {
    filter: { id: /\/choices\.md$/ },
    async handler(source, file) {
      try {
        if (existsSync(figuresFile(file))) this.addWatchFile(figuresFile(file))
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
  },
})
