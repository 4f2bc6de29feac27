/** The profiles of 'Find the line', and what is true of each (public/recordings/profiles/). */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { median } from '../src/base/stats'
import type { FindDay } from '../src/site/state/find-day'
import { RECORDINGS } from './recordings'

interface Known extends Pick<FindDay, 'name' | 'files' | 'field' | 'fault'> {
  readonly line: string | null
  readonly lineNumber: number | null
  readonly measured: {
    readonly of: string | null
    readonly stepMs: readonly number[]
    readonly otherMs: readonly number[] | null
  }
}

function dayOf({ name, files, field, fault, line, lineNumber, measured }: Known): FindDay {
  const { of, stepMs, otherMs } = measured
  return {
    name,
    files,
    field,
    fault,
    line: line !== null && lineNumber !== null ? { text: line, number: lineNumber } : null,
    stepMs: median(stepMs),
    mendedMs: of === 'mended' && otherMs ? median(otherMs) : null,
  }
}

/** In the order of the file. A number stands in links for ever, so what is new comes last in it. */
export async function findDays() {
  const known = await readFile(join(RECORDINGS, 'profiles', 'profiles.json'), 'utf8')
  return { findDays: (JSON.parse(known) as readonly Known[]).map(dayOf) }
}
