/** `npm run lab -- words`: what a lesson says of recorded runs, sentence by sentence, to be held against their figures. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { playWords, type Played, type PlayedRun } from '../src/lessons/play-words'
import { decodeRun } from '../src/trace/codec'
import { quotable, readLessons } from '../vite/words-md'
import { namesFor } from '../vite/figures'
import { parseExercise } from '../vite/words/exercise'
import { findExperiment } from './catalog'
import type { LabArguments } from './lab-arguments'
import { CommandError } from './terminal.mjs'

const LESSONS = join(import.meta.dirname, '..', 'src', 'lessons')

type WordsArguments = Extract<LabArguments, { readonly command: 'words' }>

async function runIn(path: string): Promise<PlayedRun | null> {
  if (!existsSync(path)) return null
  const decoded = await decodeRun(readFileSync(path))
  const report = decoded.ok ? decoded.value.report : null
  if (!report) throw new CommandError(`${path} holds no run of the lab.`)
  return { report, origin: 'recorded' }
}

/** @param from folder of <lesson>.hdl.gz and <lesson>/<step>.hdl.gz, as `record-lessons` writes them */
async function wordsOf(id: string, from: string): Promise<readonly Played[]> {
  const lesson = (await readLessons()).find((each) => each.id === id)
  if (lesson?.kind !== 'experiment')
    throw new CommandError(`There is no lesson '${id}' with an experiment.`, 2)
  const declaration = findExperiment(lesson.experiment)
  if (!declaration) throw new CommandError(`There is no experiment '${lesson.experiment}'.`)
  const exerciseFile = join(LESSONS, id, 'mend', 'mend.md')
  const mend = existsSync(exerciseFile)
    ? parseExercise(
        readFileSync(exerciseFile, 'utf8'),
        exerciseFile,
        await namesFor(exerciseFile),
        await quotable(),
      )
    : null
  const runs = new Map<string, PlayedRun | null>([['', await runIn(join(from, `${id}.hdl.gz`))]])
  for (const { id: step } of lesson.steps) runs.set(step, await runIn(join(from, id, `${step}.hdl.gz`)))
  return playWords({ words: lesson, mend, declaration, runOf: (step) => runs.get(step) ?? null })
}

export async function words({ lessons, from }: WordsArguments): Promise<number> {
  for (const id of lessons) {
    let last = ''
    for (const { at, words: text } of await wordsOf(id, from)) {
      if (at !== last) console.log(`\n## ${id}: ${at}`)
      last = at
      console.log(text)
    }
  }
  return 0
}
