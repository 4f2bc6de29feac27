/** A fault in plain words: what happened, what to try, and the evidence for whoever can use it. */
import type { ReactNode } from 'react'
import type { Fault } from '../../base/fault'
import { faultWords, webgpuHelp } from './fault-words'

const WebGpuHelp = () => (
  <details>
    <summary>How to get WebGPU</summary>
    <dl className="help-list stack-12">
      {webgpuHelp(navigator.userAgent).map(({ browser, advice }) => (
        <div key={browser}>
          <dt>{browser}</dt>
          <dd>{advice}</dd>
        </div>
      ))}
    </dl>
    <p>WebGPU also needs a secure context: https, or localhost.</p>
  </details>
)

export interface FaultNoticeProps {
  readonly fault: Fault
  /** What can be done right here: buttons. */
  readonly children?: ReactNode
}

export const FaultNotice = ({ fault, children }: FaultNoticeProps) => {
  const { title, hint } = faultWords[fault.code]
  const data = Object.entries(fault.data ?? {})
  const lacksWebGpu = fault.code === 'no-webgpu' || fault.code === 'no-adapter'
  return (
    // No warning without a GPU: all goes on, with recordings. Its message says the title again.
    <div className={lacksWebGpu ? 'notice' : 'notice notice-warn'} role="alert" data-fault={fault.code}>
      <h2>{title}</h2>
      {!lacksWebGpu && <p>{fault.message}</p>}
      <p>{fault.hint ?? hint}</p>
      {lacksWebGpu && (
        <>
          <p>Every lesson still works: it plays a recorded run.</p>
          <WebGpuHelp />
        </>
      )}
      {data.length > 0 && (
        <details>
          <summary>Details</summary>
          <dl className="fault-data stack-4">
            {data.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{String(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {children !== undefined && <div className="button-row">{children}</div>}
    </div>
  )
}
