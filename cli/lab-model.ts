/**
 * `npm run lab -- model EXPERIMENT`: what a model of a machine says of an experiment, in Node, without a browser or a GPU. Its figures are
 * modelled, and say so: they are no report, and no run is kept.
 */
import { parseArgs } from 'node:util'
import type { ModelledRun } from '../src/model/run-model'
import { MODEL_USAGE } from './model-usage'
import { modelledRun } from './modelled-run'
import { readCard } from './read-card'
import { CommandError } from './terminal.mjs'
import { formatFigure, textTable } from './text-table'

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        card: { type: 'string', default: 'h200' },
        set: { type: 'string', multiple: true, default: [] as string[] },
        program: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    })
  } catch (thrown) {
    throw new CommandError(thrown instanceof Error ? thrown.message : String(thrown), 2)
  }
}

/** Without its trace. */
const modelJson = ({ origin, experiment, card, params, derived, metrics, verification }: ModelledRun) => ({
  schema: 'host-device-lab/modelled@1',
  origin,
  experiment,
  card,
  params,
  derived,
  metrics,
  verification,
})

export async function model(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parse(argv)
  if (values.help) {
    console.log(MODEL_USAGE)
    return 0
  }
  const [experiment, ...rest] = positionals
  if (experiment === undefined || rest.length > 0)
    throw new CommandError('Which experiment? Say model EXPERIMENT.', 2)
  const settings = values.set.map((setting) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(setting) ?? []
    if (name === undefined) throw new CommandError(`--set wants name=value; got '${setting}'.`, 2)
    return [name, value] as const
  })
  const card = await readCard(values.card)
  const { program: file = null } = values
  const run = await modelledRun({
    experiment,
    card,
    values: Object.fromEntries(settings),
    file,
  })
  if (values.json) console.log(JSON.stringify(modelJson(run), null, 2))
  else {
    const rows = run.metrics.map(({ name, variant, value, unit, origin, note }) =>
      value === null
        ? [name, variant, `not modelled: ${note ?? 'no reason given'}`, '', origin]
        : [name, variant, formatFigure(value), unit, origin],
    )
    console.log(textTable(rows))
    console.log(`\nThe model says so, of ${card.source}. Nothing was measured.`)
  }
  const { verification } = run
  if (!verification) console.error('Results are not known: they are too many to work out here.')
  else if (verification.failed > 0)
    console.error(
      `${String(verification.failed)} of ${String(verification.checked)} checked results are wrong.`,
    )
  return verification && verification.failed > 0 ? 1 : 0
}
