/** What a file begins with: a verdict on each of its devices, the one that loses most first. */
import { noDeviceWords } from '../../analysis/diagnosis-words'
import { costOf } from '../../analysis/findings'
import type { FoundFacts, OpenedFacts } from '../import-worker/protocol'
import { Button } from '../ui/Button'
import { Verdict, type VerdictProps } from '../ui/verdict/Verdict'

export interface VerdictSectionProps {
  /** Null while it is worked out, or where that was stopped. */
  readonly found: FoundFacts | null
  readonly opened: Pick<OpenedFacts, 'format' | 'skipped' | 'notes'>
  readonly isReading: boolean
  /** Opens the file again. */
  readonly onAgain: () => void
  /** By device, as its gaps stand in the timeline; null where they have no place there. */
  readonly showing: (device: number) => VerdictProps['showing']
  /** How much is to come: of a profile more than of a run of the lab, of several devices most. */
  readonly room?: 'profile' | 'devices' | undefined
}

interface VerdictWaitingProps extends Pick<VerdictSectionProps, 'isReading' | 'onAgain' | 'room'> {
  /** 'why the GPU was idle'. */
  readonly what: string
}

/** Until there is a verdict, or after reading was stopped: by the visitor, or by another file. */
export const VerdictWaiting = ({ isReading, onAgain, room, what }: VerdictWaitingProps) => (
  // None is to come where reading was stopped: it needs no room.
  <p className={isReading ? 'verdict-waiting quiet' : 'quiet'} data-room={room} role="status">
    {isReading ? (
      `Working out ${what}.`
    ) : (
      <>
        Reading stopped before we could tell {what}.{' '}
        <Button look="link" label="Read it again" onClick={onAgain} />
      </>
    )}
  </p>
)

export const VerdictSection = (props: VerdictSectionProps) => (
  <section className="verdicts container stack-32" aria-labelledby="verdict-title">
    <h2 id="verdict-title" className="visually-hidden">
      Verdict
    </h2>
    {props.found ? (
      <Verdicts {...props} found={props.found} />
    ) : (
      <VerdictWaiting {...props} what="why the GPU was idle" />
    )}
  </section>
)

const Verdicts = ({
  found: { devices, diagnoses, pageFindings, coverage },
  opened: { format, skipped, notes },
  showing,
}: Pick<VerdictSectionProps, 'opened' | 'showing'> & { readonly found: FoundFacts }) => {
  if (diagnoses.length === 0)
    return (
      <p className="verdict-sentence" data-testid="verdict-sentence">
        {pageFindings
          ? 'No pass in the recording has timestamps, so we can’t tell when the GPU was busy.'
          : noDeviceWords(coverage, format, skipped.shown, notes.shown)}
      </p>
    )
  const nameOf = (index: number): string | null => {
    const device = devices.shown[index]
    return diagnoses.length > 1 && device ? `${device.name}, ${device.id}` : null
  }
  // The device that loses most comes first; of equals the first of the file.
  return (
    <>
      {diagnoses
        .map((diagnosis, index) => ({ diagnosis, index, cost: costOf(diagnosis.findings) }))
        .sort((a, b) => b.cost - a.cost)
        .map(({ diagnosis, index }, at) => (
          <Verdict
            key={diagnosis.device}
            // A run of the lab has one sentence for all of its devices.
            diagnosis={
              diagnosis.verdict === 'lab-run' && at > 0 ? { ...diagnosis, sentence: '', note: '' } : diagnosis
            }
            name={nameOf(index)}
            showing={showing(index)}
          />
        ))}
    </>
  )
}
