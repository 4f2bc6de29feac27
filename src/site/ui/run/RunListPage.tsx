/** All experiments, for those who want the instrument without the lesson. */
import { lessonIndex } from 'virtual:lesson-index'
import { experiments } from '../../../experiments/catalog'
import { addressOf, lessonRoute } from '../../state/url'
import { useTitle } from '../use-title'
import './run.css'
import './bench.css'

/** A lesson has the name of its experiment. */
const lessonOf = ({ id }: { readonly id: string }) => lessonIndex.find((head) => head.id === id)

/** As the path of the lessons goes; experiments without a lesson come last. */
const ordered = experiments
  .map((experiment) => ({ ...experiment, lesson: lessonOf(experiment) }))
  .toSorted((a, b) => (a.lesson?.number ?? 100) - (b.lesson?.number ?? 100))

export const RunListPage = () => {
  useTitle('Experiments')
  return (
    <div className="page">
      <header className="page-head stack-12">
        <h1>Experiments</h1>
        <p className="lead">
          The bench behind the lessons: every parameter, every figure with its interval, and the trace as a
          file that Perfetto opens.
        </p>
      </header>
      <ul className="experiment-list stack">
        {ordered.map(({ id, title, question, metrics, lesson }) => (
          <li key={id}>
            {lesson?.hasThumbnail ? (
              <img src={`./thumbnails/${id}.svg`} alt="" width={120} height={39} loading="lazy" />
            ) : (
              <span />
            )}
            <div>
              <h2 className="size-3">
                <a href={addressOf({ page: 'run', id, query: {} })}>{title}</a>
              </h2>
              <p>{question}</p>
              <p className="small quiet">
                {lesson?.measures} {metrics.length} figures.{' '}
                {lesson && (
                  <a href={addressOf(lessonRoute(id))}>
                    Lesson {lesson.number}: {lesson.question}
                  </a>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <section className="stack-12">
        <h2 className="size-3">From the command line</h2>
        <p>The same experiments run without a window and write report, trace and picture to a folder:</p>
        <pre className="code code-plain panel">
          <code>npm run lab -- run {experiments[0]?.id} --set steps=64 --out out</code>
        </pre>
      </section>
    </div>
  )
}
