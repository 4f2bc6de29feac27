/**
 * A run of an experiment on the model: its own programs and what sizes and checks them, recorded by
 * the real recorder.
 */
import { openDevice } from '../../gpu'
import { experiments } from '../../experiments/testing/catalog'
import { parseParams, type ParamValues } from '../../experiments/experiment'
import { runDeclared } from '../../experiments/run-experiment'
import type { AnyPrepare } from '../../experiments/run-types'
import type { Program } from '../../lab/lab'
import type { Report } from '../../trace/report'
import type { Machine } from '../machine'
import { realmOf } from '../realm'

const prepares = import.meta.glob<AnyPrepare>('../../experiments/*/prepare.ts', {
  import: 'prepare',
})
const programs = import.meta.glob<Program>('../../experiments/*/programs/*.js', { import: 'default' })

/**
 * @param programOf in place of a variant's own
 * @throws ModelError where the program waits for what the model does not have, as workers
 */
export async function runOnModel(
  machine: Machine,
  id: string,
  params: ParamValues,
  programOf: Readonly<Record<string, string>> = {},
): Promise<Report> {
  const declaration = experiments.find((each) => each.id === id)
  const prepare = await prepares[`../../experiments/${id}/prepare.ts`]?.()
  if (!declaration || !prepare) throw new Error(`There is no experiment '${id}'.`)
  const values = parseParams(declaration, params)
  if (!values.ok) throw new Error(values.error.message)
  const loaded = new Map<string, { readonly url: string; readonly program: Program }>()
  for (const variant of declaration.variants(values.value)) {
    const name = programOf[variant] ?? declaration.program(variant, values.value)
    const url = `../../experiments/${id}/programs/${name}.js`
    const program = await programs[url]?.()
    if (!program) throw new Error(`There is no program of '${variant}'.`)
    loaded.set(variant, { url, program })
  }
  const { gpu, run } = realmOf(machine)
  const ignore = () => undefined
  const { report } = await run(async () =>
    runDeclared({
      declaration,
      prepare,
      programs: loaded,
      device: await openDevice(gpu),
      environment: machine.profile.environment,
      values: values.value,
      hooks: { live: false, opened: ignore, started: ignore, progress: ignore, chunk: ignore },
    }),
  )
  return report
}
