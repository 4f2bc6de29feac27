/** `virtual:find-days`: the profiles of 'Find the line', in the order of their numbers, and what is true of each (public/recordings/profiles/). */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { median } from '../src/base/stats'
import type { FindDay } from '../src/site/state/find-day'
import { exported, virtualModules } from './virtual-modules'

const FILE = join(import.meta.dirname, '..', 'public', 'recordings', 'profiles', 'profiles.json')

interface Known {
  readonly name: string
  readonly files: readonly string[]
  readonly field: string
  readonly fault: FindDay['fault']
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

/** A number stands in links for ever, so what is new comes last; those in between say nothing by their order. */
const ORDER = [
  'vit_norms',
  'augment_loader',
  'train_resnet',
  'adamw_loop',
  'convnext_stream',
  'ddp_late',
  'ctr_graph',
  'tokenise',
  'checkpoint',
  'lightgcn',
  'upload_late',
  'gpt2_decode',
  'segment',
  'vit_graph',
  'ctr_loader',
  'conformer_cut',
  'ddp_vit',
  'lstm_cells',
  'gpt_lost',
  'tables_sharded',
]

async function readFindDays(): Promise<readonly FindDay[]> {
  const days = (JSON.parse(await readFile(FILE, 'utf8')) as readonly Known[]).map(dayOf)
  const placeOf = ({ name }: FindDay): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  return days.toSorted((one, other) => placeOf(one) - placeOf(other))
}

export const findDays = () =>
  virtualModules({
    'find-days': async (watch) => {
      watch(FILE)
      return exported({ findDays: await readFindDays() })
    },
  })
