/** What the analysis found in a profile, and the profiles beside the reader's own run: figures of the files and of the run, none typed in. */
import { grouped } from '../../../base/figures'
import { useId } from 'react'
import type { Quote } from '../../../experiments/declare/quote'
import type { CudaProfile } from '../../../lessons/lesson'
import type { Profile } from '../../state/profile'
import { formatMetric, formatQuantity, formatShare } from '../format'
import { Quantities } from '../prose/Inline'
import { profileOf, type LoadedById } from './cuda-loading'
import { ScrollTable } from '../ScrollTable'

const ratio = (value: number | null) => (value === null ? 'unknown' : formatShare(value))
const time = (us: number) => formatQuantity(us, 'us')

const Fact = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <div>
    <dt className="small quiet">{name}</dt>
    <dd className="bold tabular">
      <Quantities text={children} />
    </dd>
  </div>
)

export const CudaFindings = ({ profile }: { readonly profile: Profile }) => {
  const { device, figures, causes, steps } = profile
  if (!device) return <p className="quiet">The file shows no work on a device.</p>
  const idleUs = causes.reduce((sum, { us }) => sum + us, 0)
  return (
    <div className="cuda-findings stack-8" data-testid="cuda-findings">
      <dl className="cuda-facts cluster">
        <Fact name="Kernels ran">{`${ratio(figures.kernelRatio)} of ${time(device.spanUs)}`}</Fact>
        <Fact name="Kernels or copies">{ratio(figures.busyRatio)}</Fact>
        <Fact name="A step">
          {figures.stepMs === null
            ? 'the file marks no steps'
            : `${formatQuantity(figures.stepMs, 'ms')} (mean of ${String(steps)})`}
        </Fact>
      </dl>
      <h3>{causes.length === 0 ? 'The device was never idle' : 'Idle, by cause'}</h3>
      {causes.length > 0 && (
        <ul className="cuda-list stack-4">
          {causes.map(({ cause, words, count, us }) => (
            <li key={cause}>
              <strong className="number">{time(us)}</strong> in {grouped(count)}{' '}
              {count === 1 ? 'gap' : 'gaps'}: {words} ({ratio(us / idleUs)} of the idle time).
            </li>
          ))}
        </ul>
      )}
      {device.copies.length > 0 && (
        <>
          <h3>Copies</h3>
          <ul className="cuda-list stack-4">
            {device.copies.map(({ kind, count, bytes, busyUs, gbPerS }) => (
              <li key={kind}>
                <strong>{kind}</strong>: {grouped(count)},{' '}
                <Quantities
                  text={`${bytes === null ? 'bytes unknown' : formatQuantity(bytes, 'bytes')} in ${time(busyUs)}${gbPerS === null ? '' : `, ${formatQuantity(gbPerS, 'GB/s')}`}`}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

export interface CudaBesideProps {
  readonly profiles: readonly CudaProfile[]
  readonly loaded: LoadedById
  readonly own: Quote | null
}

/** The reader's figure of a variant, or why there is none. */
const ownFigure = (own: Quote | null, name: string, twin: string | null): string => {
  if (twin === null) return 'no variant does the same'
  if (!own) return 'not measured yet'
  const { validity, verification } = own.report
  if (!validity.valid || verification.failed > 0) return 'this run does not count'
  const metric = own.get(name, twin)
  return metric ? formatMetric(metric) : 'not in this run'
}

export const CudaBeside = ({ profiles, loaded, own }: CudaBesideProps) => {
  const captionId = useId()
  const mine = !own || own.origin === 'live' ? 'Yours' : own.report.environment.adapterName
  return (
    <>
      <p className="small quiet" id={captionId}>
        Share of the time in which kernels ran on the device, and the time of a step. The matmuls differ in
        size and the machines in everything: compare the shares, down a column before across.
      </p>
      <ScrollTable
        label="CUDA beside your run"
        className="cuda-beside nowrap wide"
        aria-describedby={captionId}
        data-testid="cuda-beside"
        columns={['CUDA', 'kernels', 'a step', mine, 'kernels', 'a step']}
      >
        <tbody>
          {profiles.map(({ id, twin }) => {
            const profile = profileOf(loaded, id)
            const stepMs = profile?.figures.stepMs ?? null
            const shares = ownFigure(own, 'device-busy-ratio', twin)
            const same = twin === null || !own
            return (
              <tr key={id}>
                <th scope="row">{id}</th>
                <td className="number">
                  {profile ? ratio(profile.figures.kernelRatio) : id in loaded ? 'not read' : '…'}
                </td>
                <td className="number">{stepMs === null ? '' : formatQuantity(stepMs, 'ms')}</td>
                <td>{twin === null ? '' : <code>{twin}</code>}</td>
                {same ? (
                  <td colSpan={2} className="quiet">
                    {shares}
                  </td>
                ) : (
                  <>
                    <td>
                      <Quantities text={shares} />
                    </td>
                    <td>
                      <Quantities text={ownFigure(own, 'step-ms', twin)} />
                    </td>
                  </>
                )}
              </tr>
            )
          })}
        </tbody>
      </ScrollTable>
    </>
  )
}
