/**
 * Why: what happened, quoting the profiles; three questions; how to read one's own; what a profile
 * cannot tell.
 */
import { addressOf, lessonRoute } from '../../../state/url'
import { Cards } from '../Cards'
import { SCREEN_START } from '../use-screen-focus'
import { AskedElsewhere, Fold, NextLesson, Quoted, Sources, WhyQuestions } from '../why-parts'
import type { ProfilesScreenProps } from '../use-lesson'
import { FileDoor } from '../../import/FileButton'
import { ProfilerLines } from '../../import/ProfilerLines'

export const WhyProfiles = ({ lesson, progress }: ProfilesScreenProps) => (
  <div className="why stack-32">
    <section aria-labelledby="explanation" className="lesson-section stack-16" data-testid="explanation">
      <h2 id="explanation" {...SCREEN_START}>
        What happened
      </h2>
      <Cards cards={lesson.explanation} />
      <Quoted lesson={lesson} />
    </section>
    <WhyQuestions lesson={lesson} answers={progress.answers} />
    <section aria-labelledby="carries-over" className="lesson-section stack-16">
      <h2 id="carries-over">In your own program</h2>
      <Cards cards={lesson.inPyTorch} />
    </section>
    <div className="folds cluster-8">
      <Fold id="cannot" heading="What a profile cannot tell">
        <Cards cards={lesson.cannot} />
      </Fold>
      <AskedElsewhere lesson={lesson} />
      <Sources lesson={lesson} />
    </div>
    <NextLesson lesson={lesson} own={lessonRoute(lesson.id, 'own')} />
  </div>
)

/** The reader's own profile: how to record one, and the door to the page that opens it. */
export const OwnScreen = ({ lesson }: ProfilesScreenProps) => (
  <div className="own shrinks top stack-24">
    <section className="drop-box stack-16 own-drop start" aria-labelledby="own-title">
      <h2 id="own-title" {...SCREEN_START}>
        Now one of your own
      </h2>
      <p>
        Record a few steps, and open the file: a verdict first, then the causes with their share of the time,
        and the function that each is in. For several ranks, open all files together.
      </p>
      <FileDoor label="Choose files" look="main" />
      <p className="small quiet">or drop them anywhere on this page, or paste them.</p>
      <p className="bold">Files stay on this machine: nothing is uploaded.</p>
      <p className="small">
        The page <a href={addressOf({ page: 'trace', query: {} })}>Open a trace</a> has recordings to compare
        with.
      </p>
    </section>
    <ProfilerLines />
    <NextLesson lesson={lesson} own={null} />
  </div>
)
