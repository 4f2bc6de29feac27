/** The reader's own profile: how to record one, and the door to the page that opens it. */
import { addressOf } from '../../../state/url'
import { FileButton } from '../../import/FileButton'
import { ProfilerLines } from '../../import/ProfilerLines'
import { DropOver, useDroppedFiles } from '../../import/dropped-files'
import { useOpenFiles } from '../../import/open-files'
import { SCREEN_START } from '../use-screen-focus'
import { NextLesson } from '../why-parts'
import type { ProfilesScreenProps } from './screen-props'

export const OwnScreen = ({ lesson }: ProfilesScreenProps) => {
  const take = useOpenFiles()
  const isOver = useDroppedFiles(take)
  return (
    <div className="own shrinks top stack-24" data-over={isOver || undefined}>
      <section className="drop-box stack-16 own-drop start" aria-labelledby="own-title">
        <h2 id="own-title" {...SCREEN_START}>
          Now one of your own
        </h2>
        <p>
          Record a few steps, and open the file: a verdict first, then the causes with their share of the
          time, and the function that each is in. Of several ranks open all files together.
        </p>
        <FileButton label="Choose files" look="main" multiple onFiles={take} />
        <p className="small quiet">or drop them anywhere on this page, or paste them.</p>
        <p className="bold">Files stay on this machine: nothing is uploaded.</p>
        <p className="small">
          The page <a href={addressOf({ page: 'trace', query: {} })}>Open a trace</a> has recordings to
          compare with.
        </p>
      </section>
      <ProfilerLines />
      <NextLesson lesson={lesson} own={null} />
      {isOver && <DropOver />}
    </div>
  )
}
