/** A profile of the code, read by the page as on 'Open a trace': its causes by function. */
import { useState } from 'react'
import type { Measured, MeasuredCause } from '../../../check/measured'
import { plain } from '../../../base/figures'
import { inBackground } from '../../state/in-background'
import { addressOf } from '../../state/url'
import { formatShare } from '../format'
import { FileButton } from '../import/FileButton'
import { useLazyLab } from '../lab-context'
import { Button } from '../Button'

/** '20 % of the step; predicted 1.26× without it'. */
export const costWords = ({ share, gain }: MeasuredCause): string =>
  `${formatShare(share)} of the step${gain === null ? '' : `; a step without it is predicted ${plain(gain, 3)}× as fast`}`

interface ProfileProps {
  readonly measured: Measured
  readonly onCauses: (causes: readonly MeasuredCause[]) => void
  readonly onGoTo: (line: number) => void
}

export const ProfileBeside = ({ measured, onCauses, onGoTo }: ProfileProps) => {
  const { load } = useLazyLab()
  const [said, setSaid] = useState('')
  const [hasRead, setHasRead] = useState(false)

  const read = async (file: File) => {
    setSaid(`Reading ${file.name}.`)
    const { opened } = await load()
    await opened.open({ name: file.name, from: '', origin: 'imported', take: file })
    const { shown, fault } = opened.store.getState()
    if (fault) {
      setSaid(fault.message)
      return
    }
    const diagnoses = shown?.found?.diagnoses ?? []
    const causes = diagnoses
      .flatMap(({ findings, minor }) => [...findings, ...minor])
      .map(({ cause, title, share, without, line }) => ({
        cause,
        title,
        share,
        gain: without?.gain ?? null,
        line,
      }))
    setHasRead(true)
    onCauses(causes)
    const named = causes.filter(({ line }) => line).length
    setSaid(
      causes.length > 0 && named === 0
        ? 'The profile names no functions: record it with with_stack=True.'
        : `${file.name} is read.`,
    )
  }

  return (
    <div className="loop-profile stack-8 top">
      <div className="cluster-8-12">
        <FileButton label="Add its profile" look="small" onFiles={([file]) => inBackground(read(file))} />
        <span role="status" className="small quiet">
          {said}
        </span>
      </div>
      {measured.functions.length > 0 && (
        <ul className="stack-6 small" aria-label="Functions in the profile">
          {measured.functions.map(({ name, line, cause }) => (
            <li key={`${name} ${cause.cause} ${cause.title}`}>
              <Button look="link" onClick={() => onGoTo(line)}>
                {name}()
              </Button>
              : {cause.title}. {costWords(cause)}.
            </li>
          ))}
        </ul>
      )}
      {hasRead && (
        <p className="small">
          {measured.functions.length === 0 && 'The profile blames no function in this code. '}
          <a href={addressOf({ page: 'trace', query: {} })}>See the whole profile</a>
        </p>
      )}
    </div>
  )
}
