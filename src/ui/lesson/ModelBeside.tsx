/** What the model says of the run above, beside what was measured: a sentence here, and strips of its own under the measured ones. */
import type { Asked } from '../../lessons/lesson'
import type { Modelled } from '../../model/beside/client'
import { FACTOR_NAMES } from '../../experiments/factor-names'
import { isNear } from '../../model/near'
import { addressOf } from '../../state/url'
import { findMetric, type Metric, type Report } from '../../trace/report'
import { formatQuantity, reasonNotMeasured, withUnit } from '../format'
import { ModelledMark } from '../ModelledMark'
import { Inline, Quantities } from '../prose/Inline'
import type { useModelBeside } from './use-model-beside'
import './model-beside.css'

const LEAVES_OUT =
  'It leaves out noise, caches, clocks that fall under little load, threads at two speeds, and most of what the host computes between its calls.'
const ON_THE_CPU = 'This adapter computes on the host’s own cores, and the model’s device has its own.'

export const modelledMetric = ({ metrics }: Modelled, { name, variant }: Asked['metric']) =>
  metrics.find((metric) => metric.name === name && metric.variant === variant)

/** 'modelled 14.2 %, measured 14.4 %', and whether that is as near as the model claims to be. */
function OwnCard({
  modelled,
  asked,
  report,
}: {
  readonly modelled: Modelled
  readonly asked: Asked
  readonly report: Report
}) {
  const said = modelledMetric(modelled, asked.metric)
  if (said?.value == null) return <NoFigure note={said?.note} />
  const { name } = asked.metric
  const measured = findMetric(report.metrics, name, asked.metric.variant)
  const inWords = quantityOf(asked)
  const figures = `Modelled ${inWords(said.value, said.unit)}, ${
    measured?.value == null
      ? `not measured: ${reasonNotMeasured(measured)}`
      : `measured ${inWords(measured.value, measured.unit)}`
  }.`
  return (
    <>
      <strong>
        <Quantities text={figures} />
      </strong>{' '}
      {measured?.value == null
        ? null
        : isNearTo({ ...measured, low: null, high: null }, name, said.value)
          ? 'That is as near as the model claims to be: within 15 %, and five points of a share.'
          : isNearTo(measured, name, said.value)
            ? 'That is further off than 15 %, and within the run’s own interval.'
            : `That is further off than the model claims to be. ${report.environment.isSoftware ? ON_THE_CPU : LEAVES_OUT}`}
    </>
  )
}

/** A count is of what the question asks for: '98 KiB'. */
const quantityOf =
  ({ metric, unit: asks }: Asked) =>
  (value: number, unit: Metric['unit']): string =>
    unit === 'count' ? withUnit(formatQuantity(value, unit), asks) : formatQuantity(value, unit, metric.name)

/** Stricter than the bench: of a share of some percent, five points would be any. */
const isNearTo = (measured: Nearness, name: string, modelled: number): boolean =>
  isNear({ ...measured, unit: 'count' }, modelled) && (FACTOR_NAMES.has(name) || isNear(measured, modelled))
type Nearness = Parameters<typeof isNear>[0]

/** PyTorch's recorded twin beside it: the proof where it does the same, and said to be no proof where it does not. */
function CudaCard({ modelled, asked }: { readonly modelled: Modelled; readonly asked: Asked }) {
  const { metric, pytorch, scale } = asked
  const said = modelledMetric(modelled, metric)
  if (said?.value == null) return <NoFigure note={said?.note} />
  const onScale = pytorch?.onScale ?? null
  const recorded = {
    unit: said.unit,
    value: onScale === null ? null : onScale / scale,
    low: null,
    high: null,
  }
  return (
    <>
      <strong>
        <Quantities text={`Modelled ${quantityOf(asked)(said.value, said.unit)}`} />
        {pytorch && `, recorded ${pytorch.text}`}
      </strong>{' '}
      {pytorch ? <Inline text={pytorch.words} /> : 'No recording in PyTorch answers this question.'}{' '}
      {pytorch &&
        (isNearTo(recorded, metric.name, said.value)
          ? 'That is as near as the model claims to be.'
          : 'That is no proof: PyTorch ran another program, with other kernels or calls, or more for its host to compute.')}
    </>
  )
}

const NoFigure = ({ note }: { readonly note: string | undefined }) =>
  `The model has no figure for this question: ${note ?? 'ranks, and a loader’s workers, are not in it'}.`

export const ModelBesidePanel = ({
  model: { asked: whose, answer, isMeasured, ask, close },
  asked,
  report,
}: {
  readonly model: ReturnType<typeof useModelBeside>
  readonly asked: Asked
  readonly report: Report
}) => {
  const modelled = answer && 'modelled' in answer ? answer.modelled : null
  return (
    <section
      className="model-beside stack-8 modelled no-print"
      aria-label="The model beside it"
      data-testid="model-beside"
    >
      <p role="status">
        <ModelledMark />{' '}
        {whose === null ? (
          'The same programs run on a model of this machine too, and on one of CUDA: how near does it come?'
        ) : answer === null ? (
          'The model runs.'
        ) : 'why' in answer ? (
          answer.why
        ) : answer.modelled.whose === 'cuda' ? (
          <CudaCard modelled={answer.modelled} asked={asked} />
        ) : (
          <OwnCard modelled={answer.modelled} asked={asked} report={report} />
        )}
      </p>
      <div className="button-row">
        {whose !== 'own' && <Choice whose="own" words="Lay the model beside it" {...{ isMeasured, ask }} />}
        {whose !== 'cuda' && <Choice whose="cuda" words="The same on CUDA’s card" {...{ isMeasured, ask }} />}
        {whose !== null && (
          <button type="button" className="button button-small button-plain" onClick={close}>
            Without the model
          </button>
        )}
      </div>
      {modelled && (
        <p className="small quiet">
          The card: {modelled.source}
          {modelled.isFitted && (
            <>
              , so a rough one; <a href={addressOf({ page: 'device' })}>Your device</a> measures it whole
            </>
          )}
          . Nothing modelled was measured, and the verdict knows nothing of it.
        </p>
      )}
    </section>
  )
}

const Choice = ({
  whose,
  words,
  isMeasured,
  ask,
}: { readonly whose: Modelled['whose']; readonly words: string } & Pick<
  ReturnType<typeof useModelBeside>,
  'isMeasured' | 'ask'
>) => (
  <button
    type="button"
    className="button button-small"
    aria-disabled={isMeasured}
    onClick={() => {
      ask(whose)
    }}
  >
    {words}
  </button>
)
