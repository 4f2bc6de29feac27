/** Figures of a run with what was recorded elsewhere on their axes. A recording that cannot be had leaves its figure as it is. */
import { useEffect, useMemo, useState } from 'react'
import { inBackground } from '../../state/in-background'
import { isPointFigure, type ReportFigure } from '../../../trace/figure'
import { withReference, type FigureReference } from '../../../trace/figure-reference'
import { recordingAddress } from '../recording-address'

const NO_FIGURES: readonly ReportFigure[] = []
const NO_REFERENCES: readonly FigureReference[] = []

async function load(file: string): Promise<unknown> {
  const response = await fetch(recordingAddress(file))
  return response.ok ? await response.json() : null
}

export function useReferences(
  figures: readonly ReportFigure[] = NO_FIGURES,
  references: readonly FigureReference[] = NO_REFERENCES,
): readonly ReportFigure[] {
  const [recorded, setRecorded] = useState<ReadonlyMap<string, unknown>>(new Map())
  // Only what a figure on the page asks for is fetched.
  const wanted = useMemo(
    () => references.filter(({ figure }) => figures.some(({ id }) => id === figure)),
    [figures, references],
  )
  useEffect(() => {
    let isWanted = true
    for (const { file } of wanted)
      inBackground(
        load(file)
          // Not served, or no JSON: the figure stands without it.
          .catch(() => null)
          .then((json) => {
            if (isWanted) setRecorded((before) => new Map(before).set(file, json))
          }),
      )
    return () => {
      isWanted = false
    }
  }, [wanted])
  return useMemo(
    () =>
      figures.map((figure) =>
        !isPointFigure(figure)
          ? figure
          : wanted
              .filter((reference) => reference.figure === figure.id)
              .reduce((drawn, each) => withReference(drawn, each, recorded.get(each.file)), figure),
      ),
    [figures, wanted, recorded],
  )
}
