/* Control registers of the processor (proc/isa.py has the list). The architecture option is set
 * around each access alone: as a compiler flag it would select another libgcc. */
#ifndef CSR_H
#define CSR_H

#include <stdint.h>

#define CSR_PROC2MNGR 0x7c0
#define CSR_STATS_EN 0x7c1
#define CSR_XCEL 0x7e0
#define CSR_MNGR2PROC 0xfc0
#define CSR_CYCLE 0xc00
#define CSR_INSTRET 0xc02

#define CSR_WITH_ZICSR(instruction) \
  ".option push\n\t.option arch, +zicsr\n\t" instruction "\n\t.option pop"

#define csr_write(address, value) \
  __asm__ volatile(CSR_WITH_ZICSR("csrw %0, %1") : : "i"(address), "rK"(value) : "memory")

#define csr_read(address)                                                                       \
  ({                                                                                            \
    uint32_t csr_value;                                                                         \
    __asm__ volatile(CSR_WITH_ZICSR("csrr %0, %1") : "=r"(csr_value) : "i"(address) : "memory"); \
    csr_value;                                                                                  \
  })

#define send_message(value) csr_write(CSR_PROC2MNGR, value)
#define xcel_write(number, value) csr_write(CSR_XCEL + (number), value)
#define xcel_read(number) csr_read(CSR_XCEL + (number))

#endif
