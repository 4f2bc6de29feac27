/**
 * `lab analyze --fail-if "busyRatio < 0.8"`: what a continuous integration holds a trace to. A
 * condition is a figure of a device, a comparison and a number; it fails where it holds of any
 * device, and where it cannot be determined: a gate that a file without records passes is none.
 */
import { CAUSES } from '../src/analysis/replay/causes'
import { knownUs } from '../src/analysis/devices'
import type { Analysis } from './lab-analyze'
import { CommandError } from './terminal.mjs'
import { formatFigure } from './text-table'

type Device = Analysis['devices'][number]
type Diagnosed = Analysis['diagnoses'][number]

/** Of what is recorded of a device's extent, 0 to 1; null where it is not known. */
const FIGURES: Readonly<Record<string, (device: Device) => number | null>> = {
  busyRatio: ({ busyRatio }) => busyRatio,
  workRatio: ({ workRatio }) => workRatio,
  idleRatio: ({ busyRatio }) => (busyRatio === null ? null : 1 - busyRatio),
  collectiveRatio: (device) => (knownUs(device) > 0 ? device.collectiveUs / knownUs(device) : null),
  unrecordedRatio: ({ unrecordedUs, spanUs }) => (spanUs > 0 ? unrecordedUs / spanUs : null),
}
/**
 * `gain`: how many times as fast a step would be without the one cause whose removal gains most.
 * And each cause: its share of the step, 0 where the file shows none of it.
 */
export const FAIL_NAMES: readonly string[] = [...Object.keys(FIGURES), 'gain', ...CAUSES]

const HOLDS = {
  '<': (left: number, right: number) => left < right,
  '<=': (left: number, right: number) => left <= right,
  '>': (left: number, right: number) => left > right,
  '>=': (left: number, right: number) => left >= right,
} as const
type Comparison = keyof typeof HOLDS

export interface FailIf {
  readonly name: string
  readonly comparison: Comparison
  readonly bound: number
  /** As it was written. */
  readonly text: string
}

/** @throws CommandError with exit code 2 */
export const parseFailIf = (text: string): FailIf =>
  parseCondition(text, { names: FAIL_NAMES, example: 'busyRatio < 0.8' })

/** @throws CommandError with exit code 2 */
export function parseCondition(
  text: string,
  { names, example }: { readonly names: readonly string[]; readonly example: string },
): FailIf {
  const [, name, comparison, number] =
    /^\s*([A-Za-z-]+)\s*(<=?|>=?)\s*(\d*\.?\d+(?:e[+-]?\d+)?)\s*$/.exec(text) ?? []
  if (name === undefined || comparison === undefined || number === undefined)
    throw new CommandError(`--fail-if wants "name < number", such as "${example}"; got '${text}'.`, 2)
  if (!names.includes(name))
    throw new CommandError(`--fail-if knows no '${name}'; there are ${names.join(', ')}.`, 2)
  return { name, comparison: comparison as Comparison, bound: Number(number), text: text.trim() }
}

/** What to say where the condition holds of a figure; null: it does not. */
export const sayHolds = ({ name, comparison, bound, text }: FailIf, value: number): string | null =>
  HOLDS[comparison](value, bound) ? `'${text}' holds: ${name} is ${formatFigure(value)}.` : null

function figureOf(name: string, device: Device, diagnosis: Diagnosed | undefined): number | null {
  const figure = FIGURES[name]
  if (figure) return figure(device)
  // Where no cause can be determined none is absent.
  if (!diagnosis || diagnosis.verdict === 'lab-run' || device.busyRatio === null) return null
  const found = [...diagnosis.findings, ...diagnosis.minor]
  if (name === 'gain')
    return diagnosis.steps && Math.max(1, ...found.map(({ without }) => without?.gain ?? 1))
  return found.find(({ cause }) => cause === name)?.share ?? 0
}

/**
 * A line for each condition that holds or cannot be determined, with file and device; none: the
 * files pass.
 */
export function failures(
  conditions: readonly FailIf[],
  files: readonly Pick<Analysis, 'file' | 'devices' | 'diagnoses'>[],
): readonly string[] {
  return conditions.flatMap((condition) =>
    files.flatMap(({ file, devices, diagnoses }) =>
      devices.length === 0
        ? [`${file}: '${condition.text}' cannot be determined: the file has no device.`]
        : devices.flatMap((device) => {
            const value = figureOf(
              condition.name,
              device,
              diagnoses.find((each) => each.device === device.id),
            )
            if (value === null)
              return [`${file}, ${device.id}: '${condition.text}' cannot be determined of this file.`]
            const said = sayHolds(condition, value)
            return said === null ? [] : [`${file}, ${device.id}: ${said}`]
          }),
    ),
  )
}
