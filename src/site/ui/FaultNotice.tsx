/** A fault in plain words: what happened, what to try, and the evidence for whoever can use it. */
import type { ReactNode } from 'react'
import type { Fault, FaultCode } from '../../base/fault'

export const faultWords: Readonly<Record<FaultCode, { readonly title: string; readonly hint: string }>> = {
  'no-webgpu': {
    title: 'This browser has no WebGPU here',
    hint: 'To measure your own GPU, use a browser that has it.',
  },
  'no-adapter': {
    title: 'WebGPU is here, but found no GPU to use',
    hint: 'The driver may be on the browser’s block list, or hardware acceleration may be off in its settings.',
  },
  'device-lost': {
    title: 'The GPU was lost',
    hint: 'A driver reset, a crash of the browser’s GPU process or another page can do that. Run again: that opens a new device, with no need to reload.',
  },
  hidden: {
    title: 'The tab was hidden while it measured',
    hint: 'Browsers slow down hidden pages. Keep the tab in view, and measure again.',
  },
  validation: {
    title: 'WebGPU refused a command',
    hint: 'That is a fault in the lab, not in your machine. Please report it with your report.json.',
  },
  'out-of-memory': {
    title: 'The GPU ran out of memory',
    hint: 'Close other pages that use the GPU, or choose smaller sizes, and run again.',
  },
  internal: {
    title: 'Something inside failed',
    hint: 'Run again. If it happens again, the driver or the lab has a bug; your report.json helps to find it.',
  },
  shader: {
    title: 'A shader did not compile on this GPU',
    hint: 'Choose another kernel. The message names the file and the line.',
  },
  limit: {
    title: 'This asks for more than the adapter offers',
    hint: 'Choose smaller sizes or another kernel. ‘Your device’ lists the limits.',
  },
  timeout: {
    title: 'Something did not finish in time',
    hint: 'The GPU may be busy with other work. Run again; if it happens again, choose fewer steps.',
  },
  verification: {
    title: 'A result is wrong, so none of its figures are shown',
    hint: 'A fast wrong answer proves nothing. Run again, or choose another kernel.',
  },
  parameter: {
    title: 'This address asks for something the experiment does not take',
    hint: 'Nothing was run. Go back to the standard values, or fix the address.',
  },
  worker: {
    title: 'The engine stopped',
    hint: 'Run again: it starts anew. If it happens again, reload the page.',
  },
  file: {
    title: 'This file could not be opened',
    hint: 'Choose another, or save it again where it came from.',
  },
  storage: {
    title: 'The browser could not store this',
    hint: 'Save the run as a file (Lab run .hdl.gz): a file needs no space in the browser.',
  },
}

const BROWSERS = [
  {
    browser: 'Chrome, Edge and other Chromium browsers',
    advice:
      'On by default on Windows (x64), macOS and ChromeOS from version 113, on Android from 121, on Linux from 144 to 147 depending on the GPU. chrome://gpu says what this one found; where it is missing, chrome://flags/#enable-unsafe-webgpu may enable it.',
  },
  {
    browser: 'Firefox',
    advice:
      'On by default on Windows from version 141 and on Macs with Apple silicon from 145. On Linux it is in Nightly; in about:config it is called dom.webgpu.enabled.',
  },
  {
    browser: 'Safari',
    advice: 'On by default from Safari 26, on macOS, iPadOS and iOS.',
  },
] as const

/** Versions after gpuweb's implementation status. */
const WebGpuHelp = () => (
  <details>
    <summary>How to get WebGPU</summary>
    <dl className="help-list stack-12">
      {BROWSERS.map(({ browser, advice }) => (
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
      {children ? <div className="button-row">{children}</div> : null}
    </div>
  )
}
