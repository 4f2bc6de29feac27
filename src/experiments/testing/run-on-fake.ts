/** A declared experiment, with its own preparation and programs, on a fake device. */
import type { LabDevice } from '../../engine'
import type { Program } from '../../lab/lab'
import type { Environment, Report } from '../../trace/report'
import type { Declaration } from '../declare/experiment'
import type { ParamValues } from '../experiment'
import { runDeclared } from '../run-experiment'
import { tinyEnvironment } from './tiny'

interface FakeRunRequest {
  readonly declaration: Declaration
  /** Its own; as in the worker, erased: `values` are the schema's. */
  readonly prepare: unknown
  /** Of `import.meta.glob('./programs/*.js')`. */
  readonly programs: Readonly<Record<string, Program>>
  readonly device: LabDevice
  readonly values: ParamValues
  readonly environment?: Environment
}

/** Throws where a variant has no program. */
export async function runOnFake({
  declaration,
  prepare,
  programs,
  device,
  values,
  environment = tinyEnvironment,
}: FakeRunRequest): Promise<Report> {
  const nothing = () => undefined
  const { report } = await runDeclared({
    declaration,
    prepare: prepare as never,
    programs: new Map(
      declaration.variants(values).map((variant) => {
        const program = programs[`./programs/${declaration.program(variant, values)}.js`]
        if (!program) throw new Error(`There is no program of '${variant}'.`)
        return [variant, { url: '', program }]
      }),
    ),
    // A GPU would be kept busy for real milliseconds before each window.
    device: { ...device, isSoftware: true },
    environment,
    values,
    hooks: {
      record: true,
      live: false,
      opened: nothing,
      started: nothing,
      progress: nothing,
      chunk: nothing,
    },
  })
  return report
}
