import { inBackground } from '../state/in-background'
import { addressOf } from '../state/url'
import { formatMegabytes } from './format'
import { useLazyLab, useShell } from './lab-context'
import { useStore } from 'zustand'
import { Button } from './Button'

/** What happens to the visitor's data, and what the page remembers. */
export const SiteFooter = () => {
  const { lessons, offline } = useShell()
  const { load } = useLazyLab()
  const { saving, lessons: saved } = useStore(lessons.store)
  const isOffline = useStore(offline.store, ({ phase }) => phase === 'ready')
  const offlineBytes = useStore(offline.store, ({ storedBytes }) => storedBytes)
  const any = Object.keys(saved).length > 0
  return (
    <footer className="site-footer cluster-8-24 quiet small">
      <span>Nothing you measure leaves this page.</span>
      {saving === 'off' && (
        <span>This browser keeps nothing for the page: your progress lasts until you close it.</span>
      )}
      {saving === 'newer' && (
        <span>
          Your saved progress is from a newer version of the lab. It is left as it is, and not added to.
        </span>
      )}
      {saving === 'kept' && any && (
        <span>
          Your progress and the last run of each lesson are kept in this browser only.{' '}
          <Button
            look="link"
            label="Forget them"
            onClick={() => {
              if (
                !window.confirm('Forget all predictions, answers and last runs of lessons in this browser?')
              )
                return
              lessons.reset()
              inBackground(load().then(({ lessonRuns }) => lessonRuns.forget()))
            }}
          />
        </span>
      )}
      {isOffline && (
        <span>
          Ready for offline use: {formatMegabytes(offlineBytes)} of the lab are stored in this browser.
        </span>
      )}
      <a href={addressOf({ page: 'record' })}>Record your own page</a>
      <a href={addressOf({ page: 'questions', query: {} })}>Questions</a>
      <a href={addressOf({ page: 'teachers' })}>For teachers</a>
      <a href="./licences.txt">Licences</a>
    </footer>
  )
}
