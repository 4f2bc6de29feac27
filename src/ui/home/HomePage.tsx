/** A sentence, the visitor's own GPU, the path of lessons. */
import { useTitle } from '../use-title'
import { LessonPath } from './LessonPath'
import { LiveStrip } from './LiveStrip'
import './home.css'

export const HomePage = () => {
  useTitle('')
  return (
    <div className="page home">
      <header className="home-head">
        <h1>
          Learn why GPUs sit idle, <span>by measuring the one in your machine.</span>
        </h1>
        <p className="lead">
          You predict, press Run, and real matrix products run on your GPU, while a timeline shows host,
          queue, staging buffers and device on one axis.
        </p>
      </header>
      <LiveStrip />
      <section aria-labelledby="lessons" className="home-lessons">
        <h2 id="lessons">Lessons</h2>
        <LessonPath />
      </section>
    </div>
  )
}
