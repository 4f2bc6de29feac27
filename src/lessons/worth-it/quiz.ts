import type { QuizItem } from '../lesson'

export const worthItQuiz: readonly QuizItem[] = [
  {
    id: 'why-small-loses',
    question:
      'A device multiplies 100 times as fast as the processor. Why does it still lose with matrices of 64 × 64 that come from the host and go back there?',
    options: [
      {
        text: 'Its cores have a lower clock rate than those of a processor, which shows where there is little work.',
        correct: false,
        explanation:
          'The clock rate would matter for a single chain of operations. Look at the share of a round trip in which the device computes at all: were the kernel twice as fast, the total would hardly change.',
        misconception: 'M8',
      },
      {
        text: 'A bus needs milliseconds for matrices of that size.',
        correct: false,
        explanation:
          'Two matrices of 16 KiB cross any bus in microseconds. Compare the time of a round trip of four bytes: it is nearly as long, so it is not the bytes.',
        misconception: 'M1',
      },
      {
        text: 'There and back has a fixed price, and the work is small beside it.',
        correct: true,
        explanation:
          'Commands go through another process, the device starts, and word of the end comes back late. All that costs the same for any size. The processor is done before the first command has arrived.',
      },
      {
        text: 'The upload is synchronous; asynchronous code would make it faster than the processor.',
        correct: false,
        explanation:
          'Every call here is asynchronous already. That lets the host do other things meanwhile; it does not shorten the way from inputs to result, and the result is what is waited for.',
        misconception: 'M3',
      },
    ],
  },
  {
    id: 'why-size-turns-it',
    question: 'Why does the device win in the end as n grows, however slow the transfers are?',
    options: [
      {
        text: 'Computing grows with n³ and bytes with n², so the way there weighs less and less.',
        correct: true,
        explanation:
          'Twice the size is four times the bytes and eight times the work. If the device computes faster at all, the time that it saves outgrows any fixed price and any bandwidth. A sum of two vectors has no such turn: its work grows as its bytes do.',
      },
      {
        text: 'Bandwidth goes up with the size of a transfer, until copying costs nothing at all.',
        correct: false,
        explanation:
          'Larger transfers do come nearer to the full bandwidth, but a bandwidth is finite: the time for the bytes keeps growing with n². It matters less because something else grows faster.',
      },
      {
        text: 'Processors lose their rate with large matrices, since those do not fit into a cache.',
        correct: false,
        explanation:
          'A good library multiplies in blocks that fit, and keeps its rate: look at the figures of the processor by size. The curves would cross with a constant rate as well.',
        misconception: 'M8',
      },
    ],
  },
  {
    id: 'why-rule-fails',
    question:
      'The rule *worth it if computing takes longer than bytes over bandwidth* often puts the crossover much too low in a browser. Why?',
    options: [
      {
        text: 'It takes the bandwidth of pinned memory; with pageable memory it would be right.',
        correct: false,
        explanation:
          'The bandwidths in this rule are measured in the page itself, through the same staging buffers. A page has no pinned memory to begin with.',
        misconception: 'M4',
      },
      {
        text: 'It has terms that grow with the size only, and none for what every round trip costs.',
        correct: true,
        explanation:
          'Rates and bandwidths say how time grows. What decides between small sizes is where it starts. Put the measured latency in, and compare what the rule says then.',
      },
      {
        text: 'It ignores that a kernel must be compiled anew before each multiplication, which takes a device longer than the work.',
        correct: false,
        explanation:
          'A pipeline is compiled once, before anything is measured, and the first round is a warm-up besides. Were compiling part of each round trip, no lab would show single milliseconds.',
      },
    ],
  },
  {
    id: 'why-reuse-helps',
    question: 'Why does the crossover move to smaller matrices when each upload serves 16 products?',
    options: [
      {
        text: 'After the first product the matrices are in the caches of the device, so the others compute faster.',
        correct: false,
        explanation:
          'The first product may well warm a cache, but look at the time of computing by itself: it grows about as the number of products does. What is saved lies outside of it.',
      },
      {
        text: 'The one way there and back is shared by 16 products instead of being paid for each.',
        correct: true,
        explanation:
          'The processor does 16 times the work, the device too, but the transfer and the latency stay as they were. This is why weights are uploaded once and models stay on the device.',
      },
      {
        text: 'The host may queue 16 uploads at once, and they overlap.',
        correct: false,
        explanation:
          'There is one upload here, not sixteen. Overlapping uploads with computing is another remedy, the one of the lesson on staging buffers; it shortens the wait, and reuse removes it.',
        misconception: 'M4',
      },
    ],
  },
]
