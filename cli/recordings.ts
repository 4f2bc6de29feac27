/** What `npm run lab -- record-lessons` runs, as the lessons say it. */
import { formatParam, parseParams, type ParamValues } from '../src/experiments/experiment'
import { readLessons } from '../vite/words-md'
import { findExperiment } from './catalog'
import { CommandError } from './terminal.mjs'

interface Recording {
  readonly file: string
  readonly experiment: string
  readonly params: Readonly<Record<string, string>>
}

/** As the page would run it; throws where the experiment does not take the values. */
function recordingOf(file: string, experiment: string, values: ParamValues): Recording {
  const meta = findExperiment(experiment)
  if (!meta) throw new CommandError(`${file}: there is no experiment '${experiment}'.`)
  const parsed = parseParams(meta, values)
  if (!parsed.ok) throw new CommandError(`${file}: ${parsed.error.message}`)
  const params = Object.entries(values).map(([name, value]) => [name, formatParam(value)] as const)
  return { file, experiment, params: Object.fromEntries(params) }
}

/**
 * Of lessons with an experiment. A step without values of its own looks at the lesson's run. `over` is laid over the values of steps only.
 * `names` are lessons, each with all its files, and files; none: all.
 */
export async function recordingsOf(
  names: readonly string[],
  over: ParamValues,
): Promise<readonly Recording[]> {
  const lessons = (await readLessons()).filter((lesson) => lesson.kind === 'experiment')
  const all = lessons.flatMap(({ id, experiment, values, steps }) => [
    { id, file: `${id}.hdl.gz`, experiment, values },
    ...steps.flatMap(({ id: step, action }) =>
      action && Object.keys(action.values).length > 0
        ? [{ id, file: `${id}/${step}.hdl.gz`, experiment, values: { ...values, ...over, ...action.values } }]
        : [],
    ),
  ])
  const unknown = names.find((name) => !all.some(({ id, file }) => name === id || name === file))
  if (unknown !== undefined)
    throw new CommandError(
      `Unknown lesson or file '${unknown}'; there are ${lessons.map(({ id }) => id).join(', ')}.`,
      2,
    )
  return all
    .filter(({ id, file }) => names.length === 0 || names.includes(id) || names.includes(file))
    .map(({ file, experiment, values }) => recordingOf(file, experiment, values))
}
