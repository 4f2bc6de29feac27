/** From two chosen runs to what the page shows: placed once, variants chosen, compared; each step only when what it rests on changed. */
import { useMemo } from 'react'
import {
  chooseVariant,
  compareSides,
  countedVariants,
  gapsOfRun,
  type Gap,
  type PlacedTrace,
  type ShownComparison,
} from '../../state/comparison'
import type { PlacedRun } from '../../state/run-store'
import { useLab } from '../lab-context'

interface Chosen {
  readonly variants: readonly string[]
  readonly variant: string
}
export interface ComparisonState {
  readonly a: Chosen | null
  readonly b: Chosen | null
  readonly comparison: ShownComparison | null
}

interface Drawn {
  readonly placed: PlacedTrace
  readonly gaps: readonly Gap[]
}

/** As the run's own page draws it. */
function useDrawn(run: PlacedRun | null): Drawn | null {
  const { tools } = useLab()
  return useMemo(() => {
    if (!run) return null
    const placed = run.placed ?? tools.place(run.trace)
    return { placed, gaps: run.gaps ?? gapsOfRun(placed, run.report) }
  }, [run, tools])
}

export interface ComparisonRequest {
  readonly runA: PlacedRun | null
  readonly runB: PlacedRun | null
  /** As the address asks. */
  readonly variantA: string | undefined
  readonly variantB: string | undefined
  readonly isSameRun: boolean
}

export function useComparison(request: ComparisonRequest): ComparisonState {
  const { runA, runB, variantA, variantB, isSameRun } = request
  const drawnA = useDrawn(runA)
  const drawnB = useDrawn(runB)
  return useMemo(() => {
    const a = drawnA && {
      variants: countedVariants(drawnA.placed),
      variant: chooseVariant(drawnA.placed, variantA, null),
    }
    const b = drawnB && {
      variants: countedVariants(drawnB.placed),
      variant: chooseVariant(drawnB.placed, variantB, a && { variant: a.variant, isSameRun }),
    }
    const comparison =
      runA && runB && drawnA && drawnB && a && b
        ? compareSides(
            { ...drawnA, report: runA.report, variant: a.variant },
            { ...drawnB, report: runB.report, variant: b.variant },
          )
        : null
    return { a, b, comparison }
  }, [runA, runB, drawnA, drawnB, variantA, variantB, isSameRun])
}
