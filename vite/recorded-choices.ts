/**
 * `choices.md` beside a lesson: the loop and its choices, coloured, with what was recorded of each
 * (src/site/exercise/choices-of.ts). Profiles are read while the site is built: the visitor loads
 * their first steps alone.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { excerptOfProfiles } from '../src/strips/of-profiles'
import type { Choices } from '../src/site/exercise/choices-of'
import type { Recordings } from '../src/text/recorded'
import { namesFor } from './figures'
import { highlight } from './highlight'
import { readProfile } from './read-profile'
import { recordingBytes } from './recordings'
import { parseChoices } from './words/choices'

const PUBLIC = join(import.meta.dirname, '..', 'public')
/** Of the slowest choice, in view. */
const STEPS = 3

export async function choicesOf(source: string, file: string, recordings: Recordings): Promise<Choices> {
  const lesson = basename(dirname(file))
  const companion = (script: string) => join(PUBLIC, 'companion', script)
  const words = parseChoices(source, file, {
    lesson,
    textOf: (script) => (existsSync(companion(script)) ? readFileSync(companion(script), 'utf8') : undefined),
    isRecorded: (recorded) => existsSync(join(PUBLIC, 'recordings', recorded)),
    names: await namesFor(file),
    recordings,
  })
  const coloured = async (lines: readonly string[]) =>
    lines.length === 0 ? [] : await highlight(lines.join('\n'), 'loop.py')
  const read = await Promise.all(
    words.choices.map(async ({ label, file: recorded, why }, at) => {
      const profile = await readProfile(recordingBytes(recorded), 'recorded')
      const { stepMs, kernelRatio: share, origin } = profile
      if (stepMs === null) throw new Error(`${recorded} is no profile of steps.`)
      const recording = recorded.replace(/\.json\.gz$/, '')
      const id = recording.slice(`torch-${lesson}-`.length)
      const { value, low, high } = recordings.figure('torch-steps', `${lesson}.${id}.stepMs`, '')
      const took = { value, low: low ?? value, high: high ?? value }
      const lines = await coloured(words.open[at] ?? [])
      return { profile, choice: { label, lines, recording, stepMs, share, took, origin, why } }
    }),
  )
  return {
    question: words.question,
    intro: words.intro,
    before: await coloured(words.before),
    after: await coloured(words.after),
    script: words.script,
    choices: read.map(({ choice }) => choice),
    excerpt: excerptOfProfiles(
      read.map(({ profile, choice: { label: name, stepMs } }) => ({ name, profile, stepMs })),
      STEPS,
    ),
  }
}
