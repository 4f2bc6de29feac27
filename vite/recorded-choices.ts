/**
 * `choices.md` beside a lesson: the loop and its choices, coloured, with what was recorded of each (src/site/exercise/choices-of.ts).
 * Profiles are read while the site is built: the visitor loads their first steps alone.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { excerptOfProfiles } from '../src/strips/of-profiles'
import type { Choices } from '../src/site/exercise/choices-of'
import type { Recordings } from '../src/text/recorded'
import { namesFor } from './figures'
import { highlight } from './highlight'
import { readProfile } from './read-profile'
import { recordingBytes } from './recording-bytes'
import { parseChoices, type ChoicesWords } from './words/choices'

const PUBLIC = join(import.meta.dirname, '..', 'public')
/** Of the slowest choice, in view. */
const STEPS = 3

async function profileOf({ label, file }: ChoicesWords['choices'][number]) {
  const profile = await readProfile(recordingBytes(file), 'recorded')
  const { stepMs, kernelRatio } = profile
  if (stepMs === null) throw new Error(`${file} is no profile of steps.`)
  return { name: label, profile, stepMs, share: kernelRatio }
}

/** Steps without the profiler, by lesson and choice, as public/companion/ wrote them. */
interface Step {
  readonly stepMs: { readonly median: number; readonly low: number; readonly high: number }
}
type Steps = Readonly<Record<string, Readonly<Record<string, Step>>>>
const STEP_TIMES = join(PUBLIC, 'recordings', 'torch-steps.json')

function unprofiledOf(lesson: string, file: string): Choices['choices'][number]['unprofiled'] {
  if (!existsSync(STEP_TIMES)) return null
  const steps = JSON.parse(readFileSync(STEP_TIMES, 'utf8')) as Steps // of our own script
  const step = steps[lesson]?.[file.slice(`torch-${lesson}-`.length, -'.json.gz'.length)]?.stepMs
  return step ? { value: step.median, low: step.low, high: step.high } : null
}

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
        unprofiled: unprofiledOf(lesson, recorded),
        origin: read[at]?.profile.origin ?? { device: '', date: '', software: '' },
        why,
      })),
    ),
    excerpt: excerptOfProfiles(read, STEPS),
  }
}
