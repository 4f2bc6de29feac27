/** What a file begins with: a verdict on each of its devices, the one that loses most first. */
import { noDeviceWords } from '../../analysis/diagnosis-words'
import { costOf, type Diagnosis } from '../../analysis/findings'
import { LAB_RUN_WORK } from '../../analysis/summary/time-parts'
import type { FoundFacts, OpenedFacts } from '../import-worker/protocol'
import { TimeBar, Verdict, type VerdictProps } from '../ui/verdict/Verdict'
import { Words } from '../ui/prose/Inline'

interface LabRunDevicesProps {
  readonly diagnoses: readonly Diagnosis[]
  readonly nameOf: (index: number) => string | null
}

/** Says what holds each device back. A run of this lab has no such verdict: that is said once, beside a bar of each device. */
const LabRunDevices = ({ diagnoses, nameOf }: LabRunDevicesProps) => {
  const [first] = diagnoses
  return (
    first && (
      <div className="trace-verdict stack" data-verdict="lab-run" data-testid="trace-verdict">
        <div className="verdict-main">
          <p className="verdict-sentence" data-testid="verdict-sentence">
            <Words text={first.sentence} />
          </p>
          {first.note !== '' && (
            <p className="small quiet">
              <Words text={first.note} />
            </p>
          )}
          {diagnoses.map(({ device, parts, spanUs }, index) => (
            <div key={device} className="stack-4">
              <p className="small quiet">{nameOf(index)}</p>
              <TimeBar parts={parts} spanUs={spanUs} workLabel={LAB_RUN_WORK} />
            </div>
          ))}
        </div>
      </div>
    )
  )
}

export interface VerdictSectionProps {
  /** Null while it is worked out, or where that was stopped. */
  readonly found: FoundFacts | null
  readonly opened: Pick<OpenedFacts, 'format' | 'skipped'>
  readonly isReading: boolean
  /** By device, as its gaps stand in the timeline; null where they have no place there. */
  readonly showing: (device: number) => VerdictProps['showing']
  /** How much is to come: of a profile more than of a run of the lab, of several devices most. */
  readonly room?: 'profile' | 'devices' | undefined
}

export const VerdictSection = ({ found, opened, isReading, showing, room }: VerdictSectionProps) => (
  <section className="verdicts container stack-32" aria-labelledby="verdict-title">
    <h2 id="verdict-title" className="visually-hidden">
      Verdict
    </h2>
    {found ? (
      <Verdicts {...{ found, opened, showing }} />
    ) : (
      <p className="verdict-waiting quiet" data-room={room} role="status">
        {isReading
          ? 'Working out why the GPU was idle.'
          : 'Reading stopped before we could tell why the GPU was idle. Open the file again.'}
      </p>
    )}
  </section>
)

const Verdicts = ({
  found: { devices, diagnoses, pageFindings, coverage },
  opened: { format, skipped },
  showing,
}: Pick<VerdictSectionProps, 'opened' | 'showing'> & { readonly found: FoundFacts }) => {
  if (diagnoses.length === 0)
    return (
      <p className="verdict-sentence" data-testid="verdict-sentence">
        {pageFindings
          ? 'No pass in the recording has timestamps, so we can’t tell when the GPU was busy.'
          : noDeviceWords(coverage, format, skipped.shown)}
      </p>
    )
  const nameOf = (index: number): string | null => {
    const device = devices.shown[index]
    return diagnoses.length > 1 && device ? `${device.name}, ${device.id}` : null
  }
  if (diagnoses.length > 1 && diagnoses.every(({ verdict }) => verdict === 'lab-run'))
    return <LabRunDevices diagnoses={diagnoses} nameOf={nameOf} />
  // The device that loses most comes first; of equals the first of the file.
  return (
    <>
      {diagnoses
        .map((diagnosis, index) => ({ diagnosis, index, cost: costOf(diagnosis.findings) }))
        .sort((a, b) => b.cost - a.cost)
        .map(({ diagnosis, index }) => (
          <Verdict
            key={diagnosis.device}
            diagnosis={diagnosis}
            name={nameOf(index)}
            showing={showing(index)}
          />
        ))}
    </>
  )
}
