/* Control registers of the processor (proc/isa.py has the list). The extensions Zicsr and Zifencei
 * are enabled for single instructions only: as a compiler flag they would select another libgcc. */
#ifndef CSR_H
#define CSR_H

#include <stdint.h>

#define CSR_PROC2MNGR 0x7c0
#define CSR_STATS_EN 0x7c1
#define CSR_XCEL 0x7e0
#define CSR_MNGR2PROC 0xfc0
#define CSR_CYCLE 0xc00
#define CSR_INSTRET 0xc02
#define CSR_CYCLEH 0xc80
#define CSR_INSTRETH 0xc82

#define CSR_WITH(extension, instruction) \
  ".option push\n\t.option arch, +" extension "\n\t" instruction "\n\t.option pop"
#define CSR_WITH_ZICSR(instruction) CSR_WITH("zicsr", instruction)

#define csr_write(address, value) \
  __asm__ volatile(CSR_WITH_ZICSR("csrw %0, %1") : : "i"(address), "rK"(value) : "memory")

#define csr_read(address)                                                                       \
  ({                                                                                            \
    uint32_t csr_value;                                                                         \
    __asm__ volatile(CSR_WITH_ZICSR("csrr %0, %1") : "=r"(csr_value) : "i"(address) : "memory"); \
    csr_value;                                                                                  \
  })

/* Read both halves of a counter; read again if the lower half has wrapped around in between. */
#define csr_read_long(low, high)                         \
  ({                                                     \
    uint32_t csr_high, csr_low;                          \
    do {                                                 \
      csr_high = csr_read(high);                         \
      csr_low = csr_read(low);                           \
    } while (csr_read(high) != csr_high);                \
    (uint64_t) csr_high << 32 | csr_low;                 \
  })

#define read_cycles() csr_read_long(CSR_CYCLE, CSR_CYCLEH)
#define read_instructions() csr_read_long(CSR_INSTRET, CSR_INSTRETH)

/* Must be executed between a store into code and the execution of that code. */
#define fence_i() __asm__ volatile(CSR_WITH("zifencei", "fence.i") : : : "memory")

#define send_message(value) csr_write(CSR_PROC2MNGR, value)
#define xcel_write(number, value) csr_write(CSR_XCEL + (number), value)
#define xcel_read(number) csr_read(CSR_XCEL + (number))

/* Send one message per character. */
static inline void send_text(const char *text)
{
  while (*text)
    send_message((uint8_t)*text++);
}

#endif
