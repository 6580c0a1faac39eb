/**
 * Certificates for servers and clients of the tests, valid until 2120. They sign themselves, so
 * each is its own certificate authority: `--ca-certificate` takes `cert`. The keys are no secret.
 */

export interface Certificate {
  key: string;
  cert: string;
}

/** For 127.0.0.1, ::1 and localhost. */
export const loopbackCertificate: Certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5rhVZCYL0rV7mN87
/Vl1l9cCeeITLuyZRvtODYrTWMChRANCAASLwr3nOfxULIIyQ5xPdhfNBnOCM0Xa
0RqVpf/0HDgHiO2Xx/LhfKBUUy98GjP9UW1P/lNWzOikKJj7SwDPvzPJ
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBsb29wYmFj
ay5leGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBBsb29wYmFjay5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEi8K95zn8VCyCMkOcT3YXzQZzgjNF2tEalaX/9Bw4B4jtl8fy4XygVFMvfBoz
/VFtT/5TVszopCiY+0sAz78zyaNgMF4wLAYDVR0RBCUwI4IJbG9jYWxob3N0hwR/
AAABhxAAAAAAAAAAAAAAAAAAAAABMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYE
FPN0eaL8tQDpDmZHXLejIQJf0nG+MAoGCCqGSM49BAMCA0gAMEUCIQCzCalHsHHu
pvLnhGN7kb96Z2yu9PiI86RLWZ9VImNuAwIgGqwa6CCzhrHg92rQSFLheBSqLITN
ReY3Uh38gs48hgM=
-----END CERTIFICATE-----
`,
};

/** For elsewhere.example only. */
export const strangeCertificate: Certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjaqW0DtTlDN2OHNS
NBuPxvwmqSZGlH17rf02Bmr7NBChRANCAARXwoMx7Zod27L5SBtJ6PtdnOz35j8f
MXpKPztpHCJqGGJI2TNIksTZfFOdT6Sp9op6s7gRpAkfkE5hgFrLB0cI
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIBAjAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFlbHNld2hl
cmUuZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRZWxzZXdoZXJlLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAARXwoMx7Zod27L5SBtJ6PtdnOz35j8fMXpKPztpHCJqGGJI2TNIksTZfFOd
T6Sp9op6s7gRpAkfkE5hgFrLB0cIo1AwTjAcBgNVHREEFTATghFlbHNld2hlcmUu
ZXhhbXBsZTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQ3IlmGfL2Fo/r0nX7j
JLGSjWPy2zAKBggqhkjOPQQDAgNIADBFAiAbbxvOrt/EhDMDPt9+E1HUTGgoJL1R
Nkrm9UBBBwdCtAIhAMXFBdX4JU0ebZok/EyaKREfC1Qyv4rmGoMJ7zeJ2uzV
-----END CERTIFICATE-----
`,
};
