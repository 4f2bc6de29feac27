/** What the page says of a run of each experiment by the machine's own card: figures, or why there are none. */
import { expect, it, vi } from 'vitest'
import { experiments } from '../../experiments/catalog'
import { parseParams } from '../../experiments/experiment'
import type { OwnCard } from '../card'
import { isCard } from '../card-shape'
import { ownCard } from '../fit'
import { measuredOn } from '../testing/measured-on'
import { besideOf } from './run-beside'

const modules = import.meta.glob<{ readonly default: unknown }>('../../experiments/*/programs/*.js')
vi.mock('../../experiments/programs', () => ({
  programUrl: (experiment: string, program: string) =>
    `../../experiments/${experiment}/programs/${program}.js`,
  loadProgram: async (url: string) => ({ url, program: (await modules[url]?.())?.default }),
}))

/** As a browser without flags measures and keeps it: its timestamps have coarse steps, and the adapter has no name. */
function own(): OwnCard {
  const measured = measuredOn('recordings')
  const environment = { ...measured.environment, adapterName: 'Nvidia', deviceClockStepNs: 65_536 }
  return JSON.parse(
    JSON.stringify(ownCard({ ...measured, environment }, '2026-11-28T00:00:00.000Z')),
  ) as OwnCard // checked below
}

it.each(experiments)('$id, on an own card', async (declaration) => {
  const card = own()
  expect(isCard(card.card)).toBe(true)
  const { id, presets } = declaration
  const params = parseParams(declaration, presets.find((preset) => preset.id === 'short')?.values ?? {})
  if (!params.ok) throw new Error(params.error.message)
  const report = { experiment: id, params: params.value, derived: {}, environment: card.card.environment }
  const variants = declaration.variants(params.value)
  const answer = await besideOf({ whose: 'own', own: card, report, variants, cut: { steps: 3 } })
  if (!('modelled' in answer)) throw new Error(answer.why)
  const { metrics, isFitted } = answer.modelled
  expect(isFitted).toBe(false)
  expect(metrics.some(({ value }) => value !== null && value > 0)).toBe(true)
})
