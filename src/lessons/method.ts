/**
 * The page 'Method': how the lab measures, what its bounds mean and what it does not claim. Words only; the figures of a run stand
 * in its report. Whoever changes how something is measured changes this text with it.
 */
import type { Prose } from './lesson'

export interface MethodSection {
  readonly id: string
  readonly heading: string
  readonly text: Prose
}

export const method: readonly MethodSection[] = [
  {
    id: 'measured-and-inferred',
    heading: 'What is measured, and what is inferred',
    text: [
      'Three things are measured. What [[host:the host]] does, by the clock of the worker that does it: recording, calling `submit()`, filling, awaiting. What [[device:the device]] does, by its own clock: the begin and end of every compute pass, with `timestamp-query`. And when word of an end reached the program: the moment a promise settled.',
      'The states of a [[staging:staging buffer]] follow from the calls that change them. The depth of [[queue:the queue]] is counted from submissions and from the ends that the program has heard of, so it falls a little late.',
      'A [[transfer:copy on the device]] cannot be timed by itself, because WebGPU stamps passes only. It is drawn from the end of a small pass before it to the end of a small pass behind it, both of which read what the copy writes: an upper bound, and labelled as one.',
      'What is inferred is hatched and carries the word *inferred*. What happens in the browser between the page and the device cannot be seen from a page, and is left blank rather than imagined.',
      'Why the device was idle is worked out from the trace by fixed rules, and each [[idle:gap]] carries its evidence. Where the evidence does not decide, the cause is *unknown*.',
    ],
  },
  {
    id: 'two-clocks',
    heading: 'Two clocks, tied by cause and effect',
    text: [
      'Host and device each have a clock. They share neither origin nor rate, and WebGPU offers nothing to relate them. What relates them is causality: a pass begins after the host called `submit()` for it, and it ends before the host hears of its end.',
      'So each submission gives two inequalities for the straight line that takes device time to host time. All lines that satisfy all of them form a region, a convex polygon of offset and rate. More submissions cut it smaller. The rate is also limited to what two real clocks may differ by.',
      'The lab keeps the whole polygon. Its middle is used for drawing. At each moment its edges give the earliest and the latest host time that a device event can have had: this is the **bound**, drawn as a whisker at every device edge wide enough to show it.',
      'The bound is not a standard deviation. If the causes are right and the clocks run evenly, the true time lies inside it. If no line satisfies all the evidence, because a clock was reset or a machine slept, the fit is called infeasible and the run does not count.',
      'Device times are stored as the device gave them and placed when they are read. A later, better fit therefore moves earlier spans as well. Whatever needs no second clock uses none: the busy share of the device, the length of a gap and the time of a kernel are differences of device timestamps.',
      'The method is that of clock estimation in networks: lines under constraints (Moon, Skelly, Towsley 1999) and convex hulls (Zhang, Liu, Xia 2002).',
    ],
  },
  {
    id: 'clock-steps',
    heading: 'Steps of the clocks',
    text: [
      'The host clock steps by 5 µs in Chrome where the page is cross-origin isolated, and by 100 µs where it is not. The lab measures the step and says which you have. Both work; the second is coarser.',
      'Device timestamps are coarsened by browsers for the sake of privacy. An ordinary visitor of Chrome gets steps of 65.536 µs, which is 2¹⁶ ns: the low 16 bits are cut off. Isolation does not change that; a developer flag does. The step is detected from the stamps.',
      'A single short pass may thus be off by up to one step in either direction. Every interval is widened by what the steps can do, and where a step is larger than the thing shown, the page says that the work is too small and offers more of it.',
      'On many systems the begin of a pass is stamped when the device takes it up, which may be a little before the pass ahead of it has ended. So two passes that seem to overlap did not necessarily run at once, and the lab draws no such conclusion.',
    ],
  },
  {
    id: 'hearing',
    heading: 'How an end is heard',
    text: [
      'A settled promise means: by now it is done. It does not say since when. Chromium looks for finished work on a timer and whenever it handles commands, then sends a message to the page, which waits its turn in the event loop. Firefox has been seen to look only every 100 ms.',
      'How late word arrives is measured on your machine, for work that ran alone and for work with more behind it, and stands under *Your device*. It is never subtracted from anything: it is not the same each time.',
    ],
  },
  {
    id: 'sizing',
    heading: 'How the work is sized',
    text: [
      'The lab does not assume how fast your device is. It times a small matmul, works out the size that takes the time asked for, and tries again until it is near. Then it reports what the run itself measured.',
      'Every dispatch is kept below 50 ms and everything queued below half a second: a device busy for seconds freezes desktops, and queued work cannot be called back. If steps times the length of a kernel would exceed that, the kernel is made shorter, and the report names the length used.',
    ],
  },
  {
    id: 'roof',
    heading: 'What a device can do at most',
    text: [
      'Where a kernel is compared with a peak, the peak was measured in the same run. One small kernel does nothing but fused multiply-adds in registers, in several independent chains a thread; the number of chains that is fastest on this device is found by trying. Another copies a buffer of up to 256 MiB, far larger than the caches of most devices, and counts bytes read and bytes written. A page cannot ask how large the caches are, so where they are larger still, the bandwidth is too high.',
      'Both are checked as any result is. The chains count their own steps in whole numbers, which leaves exactly one right answer; each copy adds one to every value, so that a copy left out would show.',
      'A roofline is drawn from these two. Its horizontal axis is the work for each byte that *must* move: inputs read once, results written once. What a kernel really moved, counters of the chip could tell; a page has none.',
      'A speed-up is the quotient of two figures. Its interval holds every quotient that the intervals of the two allow, which is wider than a spread of quotients would be.',
    ],
  },
  {
    id: 'verification',
    heading: 'Is the result right?',
    text: [
      'Every matmul that is timed is checked. Its inputs are made on the device from an integer hash that the host can compute too, bit for bit. Each step adds its product to the result, so that after all steps the result must be that many times the product: a step left out or done twice would show.',
      'Sampled entries, corners and edges of tiles among them, are compared with a reference in 64-bit arithmetic. The tolerance grows with the length of the dot product, as rounding errors do. Uploaded batches are compared word by word at sampled places.',
      'If one entry fails, no figure of the run is shown as a finding.',
    ],
  },
  {
    id: 'statistics',
    heading: 'Statistics',
    text: [
      'The ways of running are interleaved, to and fro, so that a device which warms up or slows down does so for all of them, and none always follows the same other one. The first round of each warms up: pipelines, memory, clock rate. It is drawn, counted as warm-up and left out of every figure.',
      'A figure is the median over the repeats. Its interval comes from the sorted repeats themselves and assumes no bell curve. With five independent repeats, the smallest and the largest enclose the true median with a probability of 1 − 2 · 0.5⁵, which is 93.75 %. With more repeats the interval is narrower. It is then widened by what the steps of the clocks can do.',
      'Two figures are called different only if their intervals do not overlap. If they do, the verdict is *inconclusive* and says what to change. What could not be measured is shown as missing with its reason, never as zero.',
    ],
  },
  {
    id: 'invalid',
    heading: 'When a run does not count',
    text: [
      'A run is invalid if its tab was hidden, since browsers slow down what you do not look at; if the device was lost; if the clock fit was infeasible; or if a result was wrong. The page then says which, and concludes nothing.',
      'Timestamps that cannot be true, such as zeros or an end before its begin, are dropped and counted. The count stands in the report.',
    ],
  },
  {
    id: 'software',
    heading: 'Without a GPU',
    text: [
      'Where a browser has no access to a GPU it may offer a software adapter, which carries out WebGPU on the processor. The lab names it on every result. Lessons work on it, and the mechanisms are the same. How long things take, and above all whether work on the host hides behind work on the device, says nothing about a GPU, because both share the same cores.',
      'Without WebGPU the lessons play a run that was recorded on a real GPU. It is marked as a recording, with the machine and the date, and is never shown as yours.',
    ],
  },
  {
    id: 'never-claimed',
    heading: 'What the lab never claims',
    text: [
      'That a copy ran on a copy engine, or beside a kernel on the device, unless total times of your own run show it. That a page has streams or pinned memory.',
      'How many times bytes are copied on their way: it differs between browsers, versions, systems and sizes.',
      'That data is on the device when `writeBuffer()` or `submit()` returns. That work ended when a promise settled. That passes with overlapping stamps ran at once.',
      'That host and device are aligned more finely than the bound that is drawn, or that one pass is timed more finely than the step of its clock.',
      'That figures from a browser hold for CUDA or PyTorch. The ideas carry over: run ahead, do not wait without need, fill one buffer while the other is away. The sizes do not.',
      'What share of a peak your device reaches according to a data sheet.',
    ],
  },
  {
    id: 'privacy',
    heading: 'Privacy',
    text: [
      'Everything runs in this page, on your machine. There are no accounts, no cookies and no analytics, and no run, answer or device detail is sent anywhere. Progress and predictions are kept in the storage of your browser, where you can erase them.',
      'A report or trace names your browser and adapter, so that others can judge its figures. It leaves the page only if you export it.',
    ],
  },
]
