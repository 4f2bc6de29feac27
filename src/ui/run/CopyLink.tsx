/** The two links of a run, among the ways to save it: its settings, and what it came to. */
import { toFault } from '../../base/fault'
import type { RunState } from '../../state/run-store'
import type { SharePlace } from './links'
import { ShownLink } from './ShownLink'
import { useLinks } from './use-links'

export interface CopyLinkProps {
  readonly run: RunState
  readonly place: SharePlace
  readonly onSaid: (text: string) => void
}

export const CopyLink = ({ run, place, onSaid }: CopyLinkProps) => {
  const { settings, result, shown } = useLinks(run, place)
  const press = (make: () => Promise<string>) => () => {
    onSaid('')
    make().then(onSaid, (thrown: unknown) => {
      onSaid(`No link could be made: ${toFault(thrown).message}`)
    })
  }
  return (
    <>
      {settings && (
        <button
          type="button"
          className="button button-small"
          title="A short link: whoever opens it can run these settings on their own machine"
          onClick={press(settings)}
        >
          Copy link to these settings
        </button>
      )}
      {result && (
        <button
          type="button"
          className="button button-small"
          title="The verdict and the figure of the headline are in the link: nothing is uploaded"
          onClick={press(result)}
        >
          Copy link with this result
        </button>
      )}
      {shown !== null && <ShownLink address={shown} />}
    </>
  )
}
