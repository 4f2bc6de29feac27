/**
 * The frame of every page. Above it: wordmark, where one can go, which device is measured, light or
 * dark; below it what becomes of the visitor's data.
 */
import { addressOf, type Route } from '../state/url'
import { type Theme, THEMES } from '../state/view-store'
import { useShell, useLazyLab } from './lab-context'
import { useStore } from 'zustand'
import type { DeviceState } from '../state/device-store'
import { formatQuantity, formatMegabytes } from './format'
import { inBackground } from '../state/in-background'
import { Button } from './Button'

/**
 * Which device is measured, whether it is a real one, and how fine the host's clock is: seen on
 * every page.
 */
function describe({ phase, device, environment, lost }: DeviceState) {
  if (lost && phase === 'known')
    return { dot: 'none', name: 'Device lost', detail: 'reopened at the next run', title: lost.message }
  if (phase === 'unavailable')
    return {
      dot: 'none',
      name: 'No WebGPU device',
      detail: 'recorded runs',
      title: 'Lessons play runs recorded on a real GPU.',
    }
  if (!device) return { dot: 'asking', name: 'Looking for a device', detail: '', title: '' }
  return {
    dot: device.isSoftware ? 'software' : 'gpu',
    name: device.adapterName,
    // Measured by a run or on the page of the device, never before.
    detail: environment ? `${formatQuantity(environment.hostClockStepUs, 'us')} host clock` : '',
    title: device.crossOriginIsolated
      ? 'The page is cross-origin isolated, so the host’s clock is fine-grained.'
      : 'The page is not cross-origin isolated, so the browser coarsens the host’s clock.',
  }
}

const DeviceChip = () => {
  const { dot, name, detail, title } = describe(useStore(useShell().device.store))
  return (
    <a className="device-chip row small shrinks nowrap" href={addressOf({ page: 'device' })} title={title}>
      <span className={`device-dot device-dot-${dot} forced-keep`} aria-hidden="true" />
      <span className="device-chip-name">{name}</span>
      {detail !== '' && <span className="device-chip-clock quiet">{detail}</span>}
    </a>
  )
}

const places: readonly {
  readonly label: string
  readonly route: Route
  readonly pages: readonly Route['page'][]
}[] = [
  { label: 'Lessons', route: { page: 'home' }, pages: ['home', 'lesson'] },
  { label: 'Experiments', route: { page: 'experiments' }, pages: ['experiments', 'run'] },
  { label: 'Find the line', route: { page: 'find', number: null }, pages: ['find'] },
  { label: 'Check a loop', route: { page: 'check' }, pages: ['check'] },
  { label: 'Open a trace', route: { page: 'trace', query: {} }, pages: ['trace'] },
  { label: 'Your device', route: { page: 'device' }, pages: ['device'] },
  { label: 'Method', route: { page: 'method', section: '' }, pages: ['method'] },
]

const themeIcons: Readonly<Record<Theme, string>> = {
  system: 'M2 3.500h12v7.500H2zM5.500 13.500h5M8 11v2.500',
  light:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1.100 1.100M11.900 11.900 13 13M13 3l-1.100 1.100M4.100 11.900 3 13',
  dark: 'M13.500 9.500A6 6 0 0 1 6.500 2.500a5.800 5.800 0 1 0 7 7Z',
}
const themeLabels: Readonly<Record<Theme, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
}

const Wordmark = () => (
  <a className="wordmark" href={addressOf({ page: 'home' })}>
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect x="2" y="4" width="4" height="6" rx="1" fill="var(--host)" />
      <rect x="7.500" y="4" width="4" height="6" rx="1" fill="var(--host)" />
      <path
        d="M13.600 4.600h8v4.800h-8z"
        fill="none"
        stroke="var(--wait)"
        strokeWidth="1.2"
        strokeDasharray="1.6 1.2"
      />
      <rect x="4" y="14" width="7" height="6" rx="1" fill="var(--device)" />
      <rect x="15" y="14" width="7" height="6" rx="1" fill="var(--device)" />
    </svg>
    <span className="wordmark-text">Host/Device Lab</span>
  </a>
)

const ThemeSwitch = () => {
  const { view } = useShell()
  const current = useStore(view.store, ({ theme }) => theme)
  return (
    <fieldset className="theme-switch">
      <legend className="visually-hidden">Theme</legend>
      {THEMES.map((theme) => (
        <label key={theme} title={themeLabels[theme]}>
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={theme === current}
            aria-label={themeLabels[theme]}
            onChange={() => view.set({ theme })}
          />
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path
              d={themeIcons[theme]}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.3"
              strokeLinecap="round"
            />
          </svg>
        </label>
      ))}
    </fieldset>
  )
}

export const Header = () => {
  const page = useStore(useShell().route.store, ({ route }) => route.page)
  return (
    <header className="site-header container">
      <div className="site-bar row">
        <Wordmark />
        <nav className="site-nav" aria-label="Main">
          {places.map(({ label, route, pages }) => (
            <a key={label} href={addressOf(route)} aria-current={pages.includes(page) ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <DeviceChip />
        <ThemeSwitch />
      </div>
    </header>
  )
}

/** What happens to the visitor's data, and what the page remembers. */
export const SiteFooter = () => {
  const { lessons, offline } = useShell()
  const { load } = useLazyLab()
  const { isKept, lessons: saved } = useStore(lessons.store)
  const isOffline = useStore(offline.store, ({ phase }) => phase === 'ready')
  const offlineBytes = useStore(offline.store, ({ storedBytes }) => storedBytes)
  const any = Object.keys(saved).length > 0
  return (
    <footer className="site-footer cluster-8-24 quiet small">
      <span>Nothing you measure leaves this page.</span>
      {!isKept && (
        <span>This browser keeps nothing for the page: your progress lasts until you close it.</span>
      )}
      {isKept && any && (
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
