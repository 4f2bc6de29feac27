/** A paragraph over figures that are of no run of an experiment: of recorded profiles. */
import type { Metric } from '../../trace/report'
import { parseExpression, namesIn } from '../../words/expression'
import { placeholdersOf, render } from '../../words/template'

/** Null where nothing of it can be stated; a sentence with a figure that is not there is left out. */
export const withFigures = (
  text: string,
  metrics: readonly Metric[],
  quote: (metric: Metric) => string,
): string | null =>
  render(text, {
    facts: {
      metrics,
      params: {},
      derived: {},
      environment: {
        isSoftware: false,
        deviceClockStepNs: null,
        hostClockStepUs: 0,
        completionLatencyMs: null,
      },
    },
    names: {},
    metric: quote,
    withBounds: false,
  })

/** The metrics that a paragraph quotes. */
export const figuresIn = (text: string): readonly { readonly name: string; readonly variant: string }[] =>
  placeholdersOf(text).flatMap(({ expression }) =>
    namesIn(parseExpression(expression)).flatMap((each) => (each.is === 'metric' ? [each] : [])),
  )
