/** From two chosen runs to what the page shows: placed once, variants chosen, compared; each step only when what it rests on changed. */
import { useMemo } from 'react'
import {
  chooseVariant,
  compareSides,
  countedVariants,
  type PlacedTrace,
  type ShownComparison,
} from '../../state/comparison'
import type { LoadedRun } from '../../state/run-store'
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

function usePlaced(run: LoadedRun | null): PlacedTrace | null {
  const { tools } = useLab()
  return useMemo(() => (run ? tools.place(run.trace) : null), [run, tools])
}

export interface ComparisonRequest {
  readonly runA: LoadedRun | null
  readonly runB: LoadedRun | null
  /** As the address asks. */
  readonly variantA: string | undefined
  readonly variantB: string | undefined
  readonly isSameRun: boolean
}

export function useComparison(request: ComparisonRequest): ComparisonState {
  const { runA, runB, variantA, variantB, isSameRun } = request
  const placedA = usePlaced(runA)
  const placedB = usePlaced(runB)
  return useMemo(() => {
    const a = placedA && {
      variants: countedVariants(placedA),
      variant: chooseVariant(placedA, variantA, null),
    }
    const b = placedB && {
      variants: countedVariants(placedB),
      variant: chooseVariant(placedB, variantB, a && { variant: a.variant, isSameRun }),
    }
    const comparison =
      runA && runB && placedA && placedB && a && b
        ? compareSides(
            { placed: placedA, report: runA.report, variant: a.variant },
            { placed: placedB, report: runB.report, variant: b.variant },
          )
        : null
    return { a, b, comparison }
  }, [runA, runB, placedA, placedB, variantA, variantB, isSameRun])
}
