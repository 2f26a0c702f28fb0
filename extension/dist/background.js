// src/background/fault.ts
var Fault = class extends Error {
  code;
  details;
  suggestions;
  retryable;
  constructor(code, message, extra = {}) {
    super(message);
    this.name = "Fault";
    this.code = code;
    if (extra.details) this.details = extra.details;
    if (extra.suggestions) this.suggestions = extra.suggestions;
    if (extra.retryable !== void 0) this.retryable = extra.retryable;
  }
};
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
function withDeadline(promise, ms, late) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    );
  });
}

// src/background/levels.ts
var LEVELS = ["observe", "act", "control"];
var TELEMETRY = ["dom_snapshot", "dom_mutations", "ui_tree", "console", "errors", "state"];
function allows(level, needed) {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(needed);
}
function isLevel(value) {
  return LEVELS.some((level) => level === value);
}
function isSessionName(value) {
  return typeof value === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(value);
}

// node_modules/tldts-core/dist/es6/src/domain.js
function shareSameDomainSuffix(hostname, vhost) {
  if (hostname.endsWith(vhost)) {
    return hostname.length === vhost.length || hostname[hostname.length - vhost.length - 1] === ".";
  }
  return false;
}
function extractDomainWithSuffix(hostname, publicSuffix) {
  const publicSuffixIndex = hostname.length - publicSuffix.length - 2;
  const lastDotBeforeSuffixIndex = hostname.lastIndexOf(".", publicSuffixIndex);
  if (lastDotBeforeSuffixIndex === -1) {
    return hostname;
  }
  return hostname.slice(lastDotBeforeSuffixIndex + 1);
}
function getDomain(suffix, hostname, options) {
  if (options.validHosts !== null) {
    const validHosts = options.validHosts;
    for (const vhost of validHosts) {
      if (
        /*@__INLINE__*/
        shareSameDomainSuffix(hostname, vhost)
      ) {
        return vhost;
      }
    }
  }
  let numberOfLeadingDots = 0;
  if (hostname.startsWith(".")) {
    while (numberOfLeadingDots < hostname.length && hostname[numberOfLeadingDots] === ".") {
      numberOfLeadingDots += 1;
    }
  }
  if (suffix.length === hostname.length - numberOfLeadingDots) {
    return null;
  }
  return (
    /*@__INLINE__*/
    extractDomainWithSuffix(hostname, suffix)
  );
}

// node_modules/tldts-core/dist/es6/src/domain-without-suffix.js
function getDomainWithoutSuffix(domain, suffix) {
  return domain.slice(0, -suffix.length - 1);
}

// node_modules/tldts-core/dist/es6/src/extract-hostname.js
var CONTROL_CHARS = /[\t\n\r]/g;
var extractedHostnameValidated = false;
function isValidHostnameChar(code) {
  return code >= 97 && code <= 122 || // a-z
  code >= 48 && code <= 57 || // 0-9
  code > 127 || // non-ASCII (accepted, not punycode-checked)
  code >= 65 && code <= 90 || // A-Z (becomes valid once lowercased)
  code === 45 || // '-'
  code === 95;
}
function getSpecialScheme(url, schemeStart, colonIndex) {
  const length = colonIndex - schemeStart;
  const c0 = url.charCodeAt(schemeStart) | 32;
  if (length === 2) {
    return c0 === 119 && (url.charCodeAt(schemeStart + 1) | 32) === 115 ? 1 : 0;
  } else if (length === 3) {
    const c1 = url.charCodeAt(schemeStart + 1) | 32;
    const c2 = url.charCodeAt(schemeStart + 2) | 32;
    if (c0 === 119 && c1 === 115 && c2 === 115)
      return 1;
    if (c0 === 102 && c1 === 116 && c2 === 112)
      return 1;
    return 0;
  } else if (length === 4) {
    const c1 = url.charCodeAt(schemeStart + 1) | 32;
    const c2 = url.charCodeAt(schemeStart + 2) | 32;
    const c3 = url.charCodeAt(schemeStart + 3) | 32;
    if (c0 === 104 && c1 === 116 && c2 === 116 && c3 === 112)
      return 1;
    if (c0 === 102 && c1 === 105 && c2 === 108 && c3 === 101)
      return 2;
    return 0;
  } else if (length === 5) {
    return c0 === 104 && (url.charCodeAt(schemeStart + 1) | 32) === 116 && (url.charCodeAt(schemeStart + 2) | 32) === 116 && (url.charCodeAt(schemeStart + 3) | 32) === 112 && (url.charCodeAt(schemeStart + 4) | 32) === 115 ? 1 : 0;
  }
  return 0;
}
function extractHostname(url, urlIsValidHostname, validate = false) {
  let start = 0;
  let end = url.length;
  let hasUpper = false;
  let isSpecial = true;
  extractedHostnameValidated = false;
  if (!urlIsValidHostname) {
    while (start < url.length && url.charCodeAt(start) <= 32) {
      start += 1;
    }
    if (url.charCodeAt(start + 4) === 58 && (url.charCodeAt(start) | 32) === 100 && (url.charCodeAt(start + 1) | 32) === 97 && (url.charCodeAt(start + 2) | 32) === 116 && (url.charCodeAt(start + 3) | 32) === 97 || url.charCodeAt(start + 10) === 58 && (url.charCodeAt(start) | 32) === 106 && (url.charCodeAt(start + 1) | 32) === 97 && (url.charCodeAt(start + 2) | 32) === 118 && (url.charCodeAt(start + 3) | 32) === 97 && (url.charCodeAt(start + 4) | 32) === 115 && (url.charCodeAt(start + 5) | 32) === 99 && (url.charCodeAt(start + 6) | 32) === 114 && (url.charCodeAt(start + 7) | 32) === 105 && (url.charCodeAt(start + 8) | 32) === 112 && (url.charCodeAt(start + 9) | 32) === 116) {
      return null;
    }
    while (end > start + 1 && url.charCodeAt(end - 1) <= 32) {
      end -= 1;
    }
    if ((url.charCodeAt(start) === 47 || url.charCodeAt(start) === 92) && (url.charCodeAt(start + 1) === 47 || url.charCodeAt(start + 1) === 92)) {
      start += 2;
    } else {
      let indexOfProtocol = url.indexOf(":/", start);
      if (indexOfProtocol !== -1) {
        const special = getSpecialScheme(url, start, indexOfProtocol);
        if (special === 1) {
          start = indexOfProtocol + 2;
          while (url.charCodeAt(start) === 47 || url.charCodeAt(start) === 92) {
            start += 1;
          }
        } else if (special === 2) {
          start = indexOfProtocol + 1;
          let slashes = 0;
          while ((url.charCodeAt(start) === 47 || url.charCodeAt(start) === 92) && slashes < 2) {
            start += 1;
            slashes += 1;
          }
          if (slashes < 2) {
            return null;
          }
        } else {
          for (let i = start; i < indexOfProtocol; i += 1) {
            const code = url.charCodeAt(i);
            if (!((code | 32) >= 97 && (code | 32) <= 122 || // [a-zA-Z] (fold letters only)
            code >= 48 && code <= 57 || // [0, 9]
            code === 46 || // '.'
            code === 45 || // '-'
            code === 43)) {
              if (code === 9 || code === 10 || code === 13) {
                return extractHostname(url.replace(CONTROL_CHARS, ""), urlIsValidHostname, validate);
              }
              for (let j = i; j < indexOfProtocol; j += 1) {
                const c = url.charCodeAt(j);
                if (c === 47 || c === 92 || c === 63 || c === 35) {
                  indexOfProtocol = -1;
                  break;
                }
              }
              if (indexOfProtocol !== -1) {
                return null;
              }
              break;
            }
          }
          if (indexOfProtocol !== -1) {
            if (url.charCodeAt(indexOfProtocol + 2) === 47) {
              isSpecial = false;
              start = indexOfProtocol + 3;
            } else {
              return null;
            }
          }
        }
      }
      if (indexOfProtocol === -1 && url.charCodeAt(start) !== 91) {
        let indexOfColon = -1;
        for (let i = start; i < end; i += 1) {
          const code = url.charCodeAt(i);
          if (code === 9 || code === 10 || code === 13) {
            return extractHostname(url.replace(CONTROL_CHARS, ""), urlIsValidHostname, validate);
          }
          if (code === 58) {
            indexOfColon = i;
            break;
          }
          if (code === 47 || code === 92 || code === 63 || code === 35) {
            break;
          }
        }
        if (indexOfColon !== -1) {
          let hasIdentifier = false;
          for (let i = indexOfColon + 1; i < end; i += 1) {
            const code = url.charCodeAt(i);
            if (code === 47 || code === 92 || code === 63 || code === 35) {
              break;
            }
            if (code === 64) {
              hasIdentifier = true;
              break;
            }
          }
          if (!hasIdentifier) {
            let allDigits = true;
            let i = indexOfColon + 1;
            for (; i < end; i += 1) {
              const code = url.charCodeAt(i);
              if (code === 47 || code === 92 || code === 63 || code === 35) {
                break;
              }
              if (code < 48 || code > 57) {
                allDigits = false;
                break;
              }
            }
            if (i === indexOfColon + 1) {
              allDigits = false;
            }
            if (!allDigits) {
              const special = getSpecialScheme(url, start, indexOfColon);
              if (special === 0) {
                let isBareIpv6 = false;
                for (let j = indexOfColon + 1; j < end; j += 1) {
                  const code = url.charCodeAt(j);
                  if (code === 47 || code === 92 || code === 63 || code === 35) {
                    break;
                  }
                  if (code === 58) {
                    isBareIpv6 = true;
                    break;
                  }
                }
                if (!isBareIpv6) {
                  return null;
                }
              } else {
                start = indexOfColon + 1;
                if (special === 2) {
                  let slashes = 0;
                  while ((url.charCodeAt(start) === 47 || url.charCodeAt(start) === 92) && slashes < 2) {
                    start += 1;
                    slashes += 1;
                  }
                  if (slashes < 2) {
                    return null;
                  }
                } else {
                  while (url.charCodeAt(start) === 47 || url.charCodeAt(start) === 92) {
                    start += 1;
                  }
                }
              }
            }
          }
        }
      }
    }
    let indexOfIdentifier = -1;
    let indexOfClosingBracket = -1;
    let indexOfPort = -1;
    let indexOfFirstColon = -1;
    let hasControl = false;
    let vValid = validate;
    let vLastDot = start - 1;
    let vLastCode = -1;
    if (validate && start < end) {
      const c0 = url.charCodeAt(start);
      if (
        // Keep these parens: they scope /*@__INLINE__*/ for terser.
        // prettier-ignore
        !/*@__INLINE__*/
        (isValidHostnameChar(c0) || c0 === 46 || c0 === 95) || c0 === 45
      ) {
        vValid = false;
      }
    }
    for (let i = start; i < end; i += 1) {
      const code = url.charCodeAt(i);
      if (code < 64) {
        if (code === 47 || code === 35 || code === 63) {
          end = i;
          break;
        } else if (code === 58) {
          if (indexOfFirstColon === -1) {
            indexOfFirstColon = i;
          }
          indexOfPort = i;
        } else if (code === 9 || code === 10 || code === 13) {
          hasControl = true;
        } else if (validate) {
          if (code === 46) {
            if (i - vLastDot > 64 || vLastCode === 46 || vLastCode === 45) {
              vValid = false;
            }
            vLastDot = i;
          } else if (code < 48 || code > 57) {
            if (code !== 45 || vLastCode === 46) {
              vValid = false;
            }
          }
        }
      } else if (isSpecial && code === 92) {
        end = i;
        break;
      } else if (code === 64) {
        indexOfIdentifier = i;
        indexOfFirstColon = -1;
      } else if (code === 93) {
        indexOfClosingBracket = i;
      } else if (code >= 65 && code <= 90) {
        hasUpper = true;
      } else if (validate && !/*@__INLINE__*/
      isValidHostnameChar(code)) {
        vValid = false;
      }
      if (validate) {
        vLastCode = code;
      }
    }
    if (hasControl) {
      return extractHostname(url.replace(CONTROL_CHARS, ""), urlIsValidHostname, validate);
    }
    if (indexOfIdentifier !== -1 && indexOfIdentifier >= start && indexOfIdentifier < end) {
      start = indexOfIdentifier + 1;
    }
    if (url.charCodeAt(start) === 91) {
      if (indexOfClosingBracket !== -1) {
        return url.slice(start + 1, indexOfClosingBracket).toLowerCase();
      }
      return null;
    } else if (indexOfPort !== -1 && indexOfPort > start && indexOfPort < end && // A host:port has exactly one ':' in the host (so its first ':' is its
    // last); a bare, unbracketed IPv6 literal ("2a01:e35::1") has >= 2, so
    // its first ':' precedes the last. Only the former has a ':port' to trim.
    indexOfFirstColon === indexOfPort) {
      end = indexOfPort;
    }
    if (start >= end) {
      return null;
    }
    if (validate && vValid && indexOfIdentifier === -1 && indexOfPort === -1 && indexOfClosingBracket === -1 && url.charCodeAt(end - 1) !== 46 && end - start <= 255 && // total length
    end - vLastDot - 1 <= 63 && // last label length
    vLastCode !== 45) {
      extractedHostnameValidated = true;
    }
  }
  while (end > start + 1 && url.charCodeAt(end - 1) === 46) {
    end -= 1;
  }
  const hostname = start !== 0 || end !== url.length ? url.slice(start, end) : url;
  if (hasUpper) {
    return hostname.toLowerCase();
  }
  return hostname;
}

// node_modules/tldts-core/dist/es6/src/is-ip.js
function isProbablyIpv4(hostname) {
  if (hostname.length < 7) {
    return false;
  }
  if (hostname.length > 15) {
    return false;
  }
  let numberOfDots = 0;
  for (let i = 0; i < hostname.length; i += 1) {
    const code = hostname.charCodeAt(i);
    if (code === 46) {
      numberOfDots += 1;
    } else if (code < 48 || code > 57) {
      return false;
    }
  }
  return numberOfDots === 3 && hostname.charCodeAt(0) !== 46 && hostname.charCodeAt(hostname.length - 1) !== 46;
}
function isProbablyIpv6(hostname) {
  if (hostname.length < 3) {
    return hostname === "::";
  }
  let start = hostname.startsWith("[") ? 1 : 0;
  let end = hostname.length;
  if (hostname[end - 1] === "]") {
    end -= 1;
  }
  if (end - start > 39) {
    return false;
  }
  let hasColon = false;
  for (; start < end; start += 1) {
    const code = hostname.charCodeAt(start);
    if (code === 58) {
      hasColon = true;
    } else if (!(code >= 48 && code <= 57 || // 0-9
    code >= 97 && code <= 102 || // a-f
    code >= 65 && code <= 70)) {
      return false;
    }
  }
  return hasColon;
}
function isIp(hostname) {
  return isProbablyIpv6(hostname) || isProbablyIpv4(hostname);
}

// node_modules/tldts-core/dist/es6/src/is-special-use.js
var SPECIAL_USE_DOMAINS = [
  "test",
  // RFC 6761
  "localhost",
  // RFC 6761
  "invalid",
  // RFC 6761
  "example",
  // RFC 6761
  "example.com",
  // RFC 6761
  "example.net",
  // RFC 6761
  "example.org",
  // RFC 6761
  "local",
  // RFC 6762 (mDNS)
  "onion",
  // RFC 7686 (Tor)
  "alt",
  // RFC 9476
  "home.arpa",
  // RFC 8375
  "ipv4only.arpa",
  // RFC 8880
  "resolver.arpa",
  // RFC 9462
  "service.arpa",
  // RFC 9665
  "6tisch.arpa",
  // RFC 9031
  "eap.arpa"
  // RFC 9965
];
function isSpecialUse(hostname) {
  for (const name of SPECIAL_USE_DOMAINS) {
    if (hostname.endsWith(name) && (hostname.length === name.length || hostname.charCodeAt(hostname.length - name.length - 1) === 46)) {
      return true;
    }
  }
  return false;
}

// node_modules/tldts-core/dist/es6/src/is-valid.js
function isValidAscii(code) {
  return code >= 97 && code <= 122 || code >= 48 && code <= 57 || code > 127;
}
function is_valid_default(hostname) {
  if (hostname.length > 255) {
    return false;
  }
  if (hostname.length === 0) {
    return false;
  }
  if (
    /*@__INLINE__*/
    !isValidAscii(hostname.charCodeAt(0)) && hostname.charCodeAt(0) !== 46 && // '.' (dot)
    hostname.charCodeAt(0) !== 95
  ) {
    return false;
  }
  let lastDotIndex = -1;
  let lastCharCode = -1;
  const len = hostname.length;
  for (let i = 0; i < len; i += 1) {
    const code = hostname.charCodeAt(i);
    if (code === 46) {
      if (
        // Check that previous label is < 63 bytes long (64 = 63 + '.')
        i - lastDotIndex > 64 || // Check that previous character was not already a '.'
        lastCharCode === 46 || // Check that the previous label does not end with '-' (RFC 1035 §2.3.1 LDH).
        // '_' is intentionally NOT restricted: DNS allows any octet (RFC 2181 §11) and
        // WHATWG URL does not treat '_' as a forbidden host code point.
        lastCharCode === 45
      ) {
        return false;
      }
      lastDotIndex = i;
    } else if (
      // A forbidden character in the label...
      // Keep these parens: they scope /*@__INLINE__*/ for terser.
      // prettier-ignore
      !/*@__INLINE__*/
      (isValidAscii(code) || code === 45 || code === 95) || // ...or a '-' starting a label (the byte right after a '.'). A label must
      // not begin with a hyphen (RFC 1034 §3.5 / RFC 1035 §2.3.1 LDH, as amended
      // by RFC 1123 §2.1; cf. UTS #46 CheckHyphens). The first label is covered by
      // the leading-character guard above; mirrors the trailing-'-' rule below.
      code === 45 && lastCharCode === 46
    ) {
      return false;
    }
    lastCharCode = code;
  }
  return (
    // Check that last label is shorter than 63 chars
    len - lastDotIndex - 1 <= 63 && // Check that the last character is an allowed trailing label character.
    // Since we already checked that the char is a valid hostname character,
    // we only need to check that it's different from '-'.
    lastCharCode !== 45
  );
}

// node_modules/tldts-core/dist/es6/src/lookup/extra-suffixes.js
function extraSuffixLookup(hostname, options, isException, out2) {
  const suffix = out2.publicSuffix;
  if (suffix === null) {
    return;
  }
  const none = hostname.length + 1;
  let exception = none;
  let exceptionIsIcann = false;
  let rule = none;
  let ruleIsIcann = false;
  const extra = options.extraSuffixes;
  for (let section = 0; section < 2; section += 1) {
    const isIcann = section === 0;
    const rules = isIcann ? options.allowIcannDomains && extra.icann : options.allowPrivateDomains && extra.private;
    if (!Array.isArray(rules)) {
      continue;
    }
    for (const r of rules) {
      if (typeof r !== "string") {
        continue;
      }
      const exceptionRule = r.startsWith("!");
      const wildcard = r.startsWith("*.");
      const body = exceptionRule ? r.slice(1) : wildcard ? r.slice(2) : r;
      if (body === "" || exceptionRule && !body.includes(".") || !shareSameDomainSuffix(hostname, body)) {
        continue;
      }
      let start = hostname.length - body.length;
      if (exceptionRule) {
        if (start < exception) {
          exception = start;
          exceptionIsIcann = isIcann;
        }
        continue;
      }
      if (wildcard && start > 1 && hostname.charCodeAt(start - 2) !== 46) {
        start = hostname.lastIndexOf(".", start - 2) + 1;
      }
      if (start < rule) {
        rule = start;
        ruleIsIcann = isIcann;
      }
    }
  }
  const suffixStart = hostname.length - suffix.length;
  const builtin = isException ? hostname.lastIndexOf(".", suffixStart - 2) + 1 : suffixStart;
  if (exception <= rule && (isException ? exception < builtin : exception <= builtin)) {
    out2.publicSuffix = hostname.slice(hostname.indexOf(".", exception) + 1);
    out2.isIcann = exceptionIsIcann;
    out2.isPrivate = !exceptionIsIcann;
  } else if (rule < builtin || rule === builtin && !out2.isIcann && !out2.isPrivate) {
    out2.publicSuffix = hostname.slice(rule);
    out2.isIcann = ruleIsIcann;
    out2.isPrivate = !ruleIsIcann;
  }
}

// node_modules/tldts-core/dist/es6/src/options.js
function setDefaultsImpl({ allowIcannDomains = true, allowPrivateDomains = false, detectIp = true, detectSpecialUse = false, extraSuffixes = null, extractHostname: extractHostname2 = true, mixedInputs = true, validHosts = null, validateHostname = true }) {
  return {
    allowIcannDomains,
    allowPrivateDomains,
    detectIp,
    detectSpecialUse,
    extraSuffixes,
    extractHostname: extractHostname2,
    mixedInputs,
    validHosts,
    validateHostname
  };
}
var DEFAULT_OPTIONS = (
  /*@__INLINE__*/
  setDefaultsImpl({})
);
function setDefaults(options) {
  if (options === void 0) {
    return DEFAULT_OPTIONS;
  }
  return (
    /*@__INLINE__*/
    setDefaultsImpl(options)
  );
}

// node_modules/tldts-core/dist/es6/src/subdomain.js
function getSubdomain(hostname, domain) {
  if (domain.length === hostname.length) {
    return "";
  }
  return hostname.slice(0, -domain.length - 1);
}

// node_modules/tldts-core/dist/es6/src/factory.js
function getEmptyResult() {
  return {
    domain: null,
    domainWithoutSuffix: null,
    hostname: null,
    isIcann: null,
    isIp: null,
    isPrivate: null,
    isSpecialUse: null,
    publicSuffix: null,
    subdomain: null
  };
}
function parseImpl(url, step, suffixLookup2, partialOptions, result) {
  const options = (
    /*@__INLINE__*/
    setDefaults(partialOptions)
  );
  if (typeof url !== "string") {
    return result;
  }
  let urlIsValid = false;
  if (!options.extractHostname) {
    let end = url.length;
    while (end > 1 && url.charCodeAt(end - 1) === 46) {
      end -= 1;
    }
    result.hostname = end === url.length ? url : url.slice(0, end);
  } else if (options.mixedInputs) {
    urlIsValid = is_valid_default(url);
    result.hostname = extractHostname(url, urlIsValid, options.validateHostname);
  } else {
    result.hostname = extractHostname(url, false, options.validateHostname);
  }
  if (options.detectIp && result.hostname !== null) {
    result.isIp = isIp(result.hostname);
    if (result.isIp) {
      return result;
    }
  }
  if (options.validateHostname && options.extractHostname && result.hostname !== null && // Skip the re-scan when `url` was already validated and extractHostname
  // returned it unchanged (same reference => identical string, still valid).
  !(urlIsValid && result.hostname === url) && // Skip the re-scan when extractHostname already validated the host inline
  // (a confirmed-valid simple authority — see extract-hostname.ts).
  !extractedHostnameValidated && !is_valid_default(result.hostname)) {
    result.hostname = null;
    return result;
  }
  if (step === 0 || result.hostname === null) {
    return result;
  }
  if (step === 5 && options.detectSpecialUse) {
    result.isSpecialUse = isSpecialUse(result.hostname);
  }
  const isException = suffixLookup2(result.hostname, options, result);
  if (options.extraSuffixes !== null) {
    extraSuffixLookup(result.hostname, options, isException === true, result);
  }
  if (step === 2 || result.publicSuffix === null) {
    return result;
  }
  result.domain = getDomain(result.publicSuffix, result.hostname, options);
  if (step === 3 || result.domain === null) {
    return result;
  }
  result.subdomain = getSubdomain(result.hostname, result.domain);
  if (step === 4) {
    return result;
  }
  result.domainWithoutSuffix = getDomainWithoutSuffix(result.domain, result.publicSuffix);
  return result;
}

// node_modules/tldts-core/dist/es6/src/lookup/fast-path.js
function fast_path_default(hostname, options, out2) {
  if (!options.allowPrivateDomains && options.allowIcannDomains && hostname.length > 3) {
    const last = hostname.length - 1;
    const c3 = hostname.charCodeAt(last);
    const c2 = hostname.charCodeAt(last - 1);
    const c1 = hostname.charCodeAt(last - 2);
    const c0 = hostname.charCodeAt(last - 3);
    if (c3 === 109 && c2 === 111 && c1 === 99 && c0 === 46) {
      out2.isIcann = true;
      out2.isPrivate = false;
      out2.publicSuffix = "com";
      return true;
    } else if (c3 === 103 && c2 === 114 && c1 === 111 && c0 === 46) {
      out2.isIcann = true;
      out2.isPrivate = false;
      out2.publicSuffix = "org";
      return true;
    } else if (c3 === 117 && c2 === 100 && c1 === 101 && c0 === 46) {
      out2.isIcann = true;
      out2.isPrivate = false;
      out2.publicSuffix = "edu";
      return true;
    } else if (c3 === 118 && c2 === 111 && c1 === 103 && c0 === 46) {
      out2.isIcann = true;
      out2.isPrivate = false;
      out2.publicSuffix = "gov";
      return true;
    } else if (c3 === 116 && c2 === 101 && c1 === 110 && c0 === 46) {
      out2.isIcann = true;
      out2.isPrivate = false;
      out2.publicSuffix = "net";
      return true;
    } else if (c3 === 101 && c2 === 100 && c1 === 46) {
      out2.isIcann = true;
      out2.isPrivate = false;
      out2.publicSuffix = "de";
      return true;
    }
  }
  return false;
}

// node_modules/tldts/dist/es6/src/data/trie.js
var nodeFlags = /* @__PURE__ */ new Uint8Array([1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 0, 2, 2, 2, 2, 0, 2, 2, 2, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 0, 2, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 2, 0, 0, 0, 1, 1, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 2, 2, 0, 0, 0, 2, 0, 1, 1, 0, 2, 0, 2, 2, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 0, 2, 2, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 2, 2, 0, 2, 2, 2, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 2, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 2, 2, 0, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 2, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
var edgeStart = /* @__PURE__ */ new Uint16Array([0, 0, 0, 10, 11, 18, 106, 111, 117, 124, 130, 136, 145, 146, 147, 148, 149, 150, 151, 153, 154, 156, 157, 158, 160, 162, 236, 249, 251, 252, 253, 268, 270, 277, 278, 281, 282, 283, 286, 288, 307, 308, 310, 319, 324, 341, 342, 345, 346, 348, 350, 386, 387, 389, 392, 393, 397, 399, 403, 406, 438, 441, 454, 455, 463, 464, 466, 476, 490, 491, 492, 493, 502, 503, 540, 545, 561, 581, 587, 629, 631, 632, 633, 634, 661, 688, 689, 837, 843, 846, 847, 848, 853, 858, 867, 889, 890, 891, 892, 893, 894, 895, 913, 915, 916, 919, 921, 922, 924, 926, 941, 956, 961, 962, 964, 965, 966, 967, 968, 970, 973, 978, 979, 980, 982, 983, 986, 989, 990, 991, 1004, 1006, 1018, 1029, 1037, 1039, 1079, 1082, 1086, 1087, 1089, 1092, 1103, 1105, 1115, 1117, 1123, 1125, 1126, 1128, 1131, 1132, 1133, 1186, 1188, 1190, 1210, 1211, 1212, 1213, 1215, 1226, 1257, 1268, 1269, 1282, 1292, 1301, 1309, 1310, 1315, 1329, 1340, 1352, 1364, 1378, 1379, 1390, 1424, 1425, 1426, 1442, 1458, 1470, 1543, 1544, 1546, 1547, 1583, 1602, 1603, 1604, 1605, 1606, 1609, 1613, 1616, 1618, 1652, 1653, 1661, 1662, 1663, 1664, 1665, 1666, 1668, 1670, 1672, 1673, 1677, 1678, 1679, 1681, 1683, 1684, 1686, 1687, 1688, 1699, 1701, 1702, 1706, 1707, 1710, 1717, 1718, 1723, 1727, 1728, 1730, 1731, 1732, 1733, 1734, 1735, 1736, 1737, 1738, 1739, 1740, 1741, 1742, 1743, 1745, 1746, 1747, 2209, 2212, 2213, 2215, 2222, 2229, 2239, 2243, 2254, 2255, 2256, 2268, 2269, 2271, 2273, 2274, 2281, 2282, 2284, 2285, 2287, 2288, 2289, 2290, 2291, 2366, 2368, 2389, 2390, 2391, 2393, 2394, 2396, 2397, 2452, 2453, 2454, 2461, 2467, 2477, 2487, 2540, 2541, 2542, 2552, 2566, 2567, 2570, 2577, 2578, 2586, 2588, 2589, 2590, 2591, 2602, 2603, 2604, 2606, 2607, 2609, 2610, 2619, 2631, 2637, 2639, 2671, 2675, 2677, 2678, 2680, 2681, 2693, 2694, 2696, 2704, 2711, 2717, 2722, 2723, 2729, 2732, 2738, 2745, 2752, 2760, 2761, 2762, 2800, 2806, 2810, 2827, 2828, 2833, 2851, 2882, 2900, 2902, 2905, 2913, 2915, 2922, 2974, 2998, 2999, 3e3, 3001, 3002, 3003, 3004, 3011, 3012, 3013, 3014, 3015, 3016, 3018, 3019, 3023, 3105, 3118, 3119, 3556, 3560, 3574, 3626, 3654, 3676, 3734, 3756, 3771, 3834, 3885, 3923, 3959, 3984, 4126, 4172, 4223, 4242, 4276, 4291, 4311, 4341, 4372, 4395, 4426, 4456, 4488, 4515, 4590, 4612, 4650, 4660, 4694, 4713, 4739, 4781, 4831, 4857, 4926, 4927, 4929, 4952, 4975, 5011, 5042, 5059, 5116, 5129, 5153, 5182, 5184, 5218, 5234, 5262, 5567, 5576, 5585, 5592, 5609, 5613, 5619, 5658, 5660, 5667, 5674, 5683, 5690, 5691, 5692, 5704, 5707, 5722, 5723, 5732, 5733, 5742, 5751, 5757, 5759, 5760, 5761, 5799, 5800, 5802, 5810, 5817, 5830, 5834, 5836, 5837, 5843, 5850, 5864, 5874, 5879, 5887, 5895, 5901, 5902, 5906, 5908, 5909, 5921, 5993, 5994, 5995, 5996, 5998, 5999, 6002, 6004, 6007, 6011, 6012, 6013, 6019, 6020, 6021, 6023, 6025, 6027, 6028, 6029, 6032, 6034, 6037, 6038, 6040, 6238, 6245, 6246, 6247, 6257, 6262, 6279, 6293, 6302, 6303, 6304, 6308, 6309, 6311, 6313, 6319, 6320, 6323, 6324, 6326, 6327, 6328, 7228, 7231, 7235, 7253, 7262, 7265, 7272, 7273, 7275, 7276, 7277, 7279, 7331, 7332, 7335, 7336, 7454, 7455, 7466, 7482, 7489, 7492, 7501, 7502, 7503, 7518, 7573, 7765, 7767, 7769, 7770, 7772, 7777, 7790, 7805, 7812, 7821, 7824, 7827, 7834, 7842, 7846, 7847, 7848, 7862, 7867, 7876, 7877, 7878, 7882, 7917, 7918, 7939, 7946, 7954, 7955, 7960, 7968, 8012, 8013, 8019, 8022, 8035, 8040, 8041, 8043, 8045, 8082, 8083, 8089, 8096, 8097, 8107, 8116, 8131, 8135, 8137, 8189, 8190, 8195, 8196, 8199, 8201, 8202, 8203, 8212, 8226, 8234, 8248, 8259, 8260, 8262, 8264, 8286, 8297, 8303, 8304, 8316, 8328, 8415, 8427, 8435, 8438, 8444, 8469, 8472, 8473, 8474, 8475, 8477, 8480, 8483, 8494, 8496, 8498, 8526, 8601, 8608, 8612, 8613, 8622, 8644, 8645, 8650, 8651, 8733, 8735, 8736, 8745, 8749, 8755, 8761, 8767, 8777, 8782, 8783, 8801, 8812, 8817, 8822, 8832, 8838, 8842, 8848, 8854, 10461, 10462, 10463, 10470, 10472]);
var edgeLength = /* @__PURE__ */ new Uint8Array([3, 3, 3, 3, 3, 3, 3, 3, 5, 8, 8, 2, 2, 3, 3, 3, 3, 3, 8, 5, 5, 5, 5, 5, 3, 3, 5, 5, 9, 12, 19, 8, 19, 8, 11, 9, 9, 8, 7, 7, 6, 8, 9, 16, 10, 7, 7, 11, 8, 6, 6, 9, 7, 11, 7, 14, 4, 4, 4, 4, 4, 4, 10, 7, 6, 6, 6, 6, 10, 10, 6, 10, 10, 22, 11, 9, 10, 10, 10, 9, 10, 8, 7, 7, 7, 8, 21, 13, 11, 11, 9, 10, 9, 13, 10, 8, 8, 9, 12, 9, 7, 10, 7, 7, 13, 7, 3, 3, 3, 3, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 8, 6, 3, 3, 3, 3, 3, 3, 2, 5, 3, 3, 3, 7, 2, 2, 2, 2, 2, 2, 3, 3, 3, 1, 1, 7, 8, 5, 2, 2, 7, 4, 5, 7, 2, 2, 1, 4, 1, 11, 9, 9, 5, 5, 8, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 3, 5, 5, 11, 9, 9, 8, 9, 9, 13, 7, 14, 7, 6, 6, 6, 7, 6, 6, 6, 6, 6, 6, 10, 7, 11, 9, 4, 4, 4, 4, 4, 6, 6, 6, 6, 13, 6, 8, 7, 10, 10, 9, 9, 7, 9, 8, 9, 8, 7, 10, 6, 9, 8, 10, 10, 7, 8, 1, 9, 10, 12, 12, 12, 10, 9, 9, 10, 10, 9, 9, 1, 1, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 6, 6, 6, 4, 2, 3, 3, 3, 3, 7, 4, 4, 4, 3, 3, 6, 7, 3, 4, 1, 2, 2, 2, 6, 1, 2, 2, 2, 2, 2, 12, 5, 3, 8, 9, 13, 4, 4, 13, 9, 9, 11, 7, 3, 12, 9, 2, 2, 2, 3, 3, 3, 3, 3, 8, 2, 2, 3, 3, 3, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 3, 7, 10, 15, 15, 7, 15, 20, 15, 9, 10, 10, 12, 14, 14, 14, 12, 12, 12, 12, 12, 14, 14, 10, 10, 10, 10, 14, 9, 9, 9, 9, 10, 14, 14, 14, 13, 13, 14, 9, 9, 9, 9, 9, 9, 7, 8, 6, 8, 8, 6, 8, 13, 8, 8, 6, 13, 8, 11, 13, 8, 6, 13, 8, 6, 9, 10, 10, 12, 14, 14, 14, 12, 12, 12, 12, 14, 14, 10, 10, 10, 10, 9, 9, 9, 10, 14, 14, 11, 13, 13, 9, 9, 9, 9, 9, 9, 2, 6, 9, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 2, 3, 3, 3, 3, 3, 3, 7, 7, 2, 3, 2, 2, 5, 3, 3, 3, 3, 3, 3, 4, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 5, 7, 4, 2, 2, 12, 8, 10, 8, 10, 7, 18, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 2, 2, 3, 3, 3, 5, 5, 3, 8, 8, 6, 8, 6, 6, 4, 6, 7, 7, 7, 10, 11, 2, 5, 5, 3, 3, 3, 3, 3, 3, 5, 5, 6, 11, 10, 7, 7, 7, 4, 4, 4, 2, 3, 3, 3, 3, 3, 2, 2, 7, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 11, 7, 6, 9, 6, 6, 8, 10, 8, 6, 8, 13, 4, 4, 4, 4, 4, 10, 8, 11, 8, 8, 8, 10, 10, 7, 5, 4, 4, 4, 10, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 7, 10, 13, 7, 8, 7, 11, 8, 8, 6, 9, 8, 8, 6, 6, 6, 8, 8, 6, 6, 6, 6, 6, 9, 7, 6, 4, 4, 4, 4, 4, 4, 4, 6, 6, 6, 9, 7, 8, 10, 8, 8, 2, 3, 3, 3, 3, 3, 2, 8, 9, 9, 2, 2, 2, 3, 3, 3, 2, 3, 3, 3, 9, 2, 2, 3, 3, 3, 3, 3, 3, 5, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 12, 5, 5, 3, 5, 4, 2, 3, 2, 4, 3, 9, 2, 2, 2, 2, 2, 5, 5, 3, 8, 8, 13, 6, 10, 9, 4, 7, 9, 11, 2, 3, 7, 3, 3, 4, 1, 3, 4, 2, 9, 3, 3, 12, 5, 3, 7, 10, 10, 7, 4, 4, 6, 14, 7, 9, 7, 13, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 8, 15, 4, 4, 2, 3, 3, 3, 7, 4, 9, 9, 2, 3, 3, 3, 5, 3, 2, 2, 7, 2, 7, 6, 6, 7, 2, 4, 2, 2, 2, 2, 2, 2, 8, 8, 8, 9, 5, 2, 3, 3, 3, 3, 3, 3, 10, 7, 4, 4, 4, 4, 3, 4, 2, 3, 3, 3, 3, 3, 10, 7, 4, 4, 4, 4, 2, 3, 3, 3, 3, 10, 7, 4, 4, 4, 4, 3, 9, 6, 6, 6, 9, 13, 9, 2, 2, 2, 8, 7, 9, 5, 3, 3, 3, 5, 5, 13, 12, 9, 10, 7, 8, 7, 6, 8, 6, 11, 12, 7, 10, 4, 4, 7, 8, 11, 6, 7, 9, 8, 7, 10, 8, 9, 15, 7, 8, 5, 4, 7, 2, 3, 3, 3, 2, 14, 10, 2, 14, 10, 2, 14, 3, 9, 13, 13, 10, 14, 16, 17, 11, 2, 14, 2, 14, 3, 9, 13, 10, 14, 16, 17, 11, 14, 10, 14, 2, 7, 3, 10, 7, 14, 10, 2, 14, 10, 9, 9, 17, 6, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 10, 10, 10, 12, 9, 4, 10, 10, 11, 8, 8, 8, 7, 9, 5, 3, 3, 3, 3, 3, 3, 3, 3, 5, 8, 4, 4, 4, 4, 4, 4, 6, 16, 3, 3, 14, 3, 14, 2, 14, 9, 13, 10, 10, 14, 16, 17, 11, 6, 9, 10, 10, 12, 14, 14, 14, 12, 12, 12, 12, 14, 14, 10, 10, 10, 10, 14, 9, 9, 9, 10, 14, 14, 14, 9, 9, 9, 9, 9, 9, 2, 14, 9, 13, 10, 10, 14, 16, 17, 11, 6, 14, 2, 14, 9, 17, 13, 10, 10, 14, 17, 16, 17, 11, 6, 2, 14, 9, 13, 10, 14, 17, 16, 17, 11, 2, 14, 9, 13, 10, 14, 16, 17, 11, 2, 14, 9, 13, 10, 17, 16, 11, 17, 2, 14, 10, 19, 7, 2, 14, 9, 13, 10, 19, 10, 7, 14, 17, 16, 17, 11, 6, 2, 14, 9, 13, 10, 19, 7, 14, 16, 17, 11, 2, 14, 9, 13, 10, 10, 14, 17, 16, 17, 11, 6, 2, 14, 9, 13, 10, 10, 14, 17, 16, 17, 11, 6, 2, 14, 9, 13, 17, 13, 10, 10, 14, 17, 16, 17, 11, 6, 3, 2, 14, 9, 13, 10, 10, 14, 16, 17, 11, 6, 9, 10, 12, 14, 14, 14, 12, 12, 12, 12, 12, 14, 14, 14, 10, 10, 10, 14, 9, 9, 9, 9, 14, 14, 14, 13, 13, 14, 9, 9, 9, 9, 9, 9, 4, 11, 2, 14, 9, 13, 17, 13, 10, 19, 10, 7, 14, 17, 16, 17, 11, 6, 2, 14, 9, 13, 17, 13, 10, 19, 10, 7, 14, 17, 16, 17, 11, 6, 2, 14, 9, 13, 10, 19, 7, 14, 17, 16, 17, 11, 2, 9, 10, 10, 7, 17, 3, 3, 12, 12, 16, 15, 15, 12, 14, 14, 14, 20, 20, 13, 12, 12, 12, 12, 12, 12, 20, 25, 14, 14, 12, 12, 10, 10, 10, 10, 14, 9, 9, 9, 25, 4, 9, 17, 10, 7, 14, 16, 21, 13, 13, 14, 20, 14, 13, 17, 24, 9, 12, 13, 25, 13, 21, 20, 17, 9, 9, 9, 9, 9, 9, 12, 17, 4, 4, 9, 9, 9, 10, 10, 12, 14, 14, 14, 12, 12, 12, 12, 12, 14, 14, 10, 10, 10, 10, 14, 9, 9, 9, 9, 10, 14, 14, 14, 13, 13, 14, 9, 9, 9, 9, 9, 9, 9, 10, 14, 12, 12, 14, 14, 10, 9, 9, 9, 10, 14, 14, 14, 9, 9, 9, 9, 2, 1, 5, 8, 7, 11, 11, 1, 3, 3, 3, 5, 3, 3, 4, 8, 9, 10, 10, 12, 14, 14, 14, 12, 12, 12, 12, 14, 14, 10, 10, 10, 10, 14, 9, 9, 9, 10, 14, 14, 14, 13, 13, 14, 9, 9, 9, 9, 9, 9, 7, 4, 4, 4, 4, 4, 4, 4, 4, 4, 10, 2, 2, 6, 7, 6, 2, 3, 2, 3, 6, 2, 7, 6, 10, 7, 4, 9, 12, 6, 14, 4, 12, 7, 2, 2, 1, 2, 7, 6, 4, 4, 4, 6, 8, 8, 7, 2, 2, 13, 2, 2, 2, 2, 6, 2, 8, 12, 2, 7, 7, 6, 8, 10, 12, 2, 2, 2, 3, 3, 13, 2, 2, 3, 3, 6, 7, 6, 4, 5, 6, 3, 3, 3, 3, 4, 16, 8, 5, 4, 3, 3, 3, 5, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 11, 12, 7, 7, 13, 9, 10, 17, 12, 8, 9, 7, 17, 17, 8, 5, 12, 10, 13, 14, 5, 5, 5, 13, 5, 5, 5, 3, 3, 3, 5, 16, 5, 5, 5, 5, 7, 12, 14, 8, 12, 8, 10, 12, 9, 11, 7, 9, 7, 10, 7, 13, 13, 9, 7, 12, 8, 17, 7, 7, 16, 10, 13, 13, 8, 10, 10, 14, 17, 7, 16, 16, 15, 8, 10, 10, 12, 17, 17, 7, 17, 14, 7, 10, 17, 8, 7, 7, 7, 8, 15, 15, 7, 14, 10, 10, 10, 11, 11, 7, 7, 13, 8, 10, 7, 16, 7, 8, 7, 14, 17, 12, 10, 11, 21, 8, 9, 7, 13, 9, 8, 6, 13, 6, 12, 7, 6, 13, 10, 10, 10, 8, 18, 9, 17, 13, 10, 12, 6, 13, 6, 11, 8, 13, 10, 13, 18, 13, 11, 13, 8, 16, 7, 10, 8, 16, 12, 10, 8, 8, 14, 11, 8, 15, 8, 8, 7, 7, 12, 7, 8, 9, 14, 15, 8, 9, 10, 9, 15, 7, 8, 8, 12, 13, 9, 10, 15, 13, 7, 10, 10, 20, 7, 6, 9, 6, 6, 14, 11, 14, 11, 12, 9, 10, 16, 16, 12, 7, 11, 28, 8, 11, 10, 7, 21, 8, 7, 9, 4, 4, 4, 17, 7, 8, 6, 9, 6, 6, 13, 6, 6, 6, 6, 18, 20, 14, 8, 11, 12, 9, 10, 13, 15, 15, 19, 8, 9, 12, 7, 10, 16, 12, 9, 9, 9, 14, 12, 11, 10, 9, 12, 11, 18, 9, 9, 9, 10, 7, 7, 16, 8, 9, 7, 13, 12, 10, 14, 18, 7, 8, 11, 10, 7, 7, 8, 8, 13, 7, 7, 7, 11, 15, 13, 11, 7, 8, 15, 11, 7, 8, 18, 14, 13, 18, 15, 10, 12, 12, 9, 7, 11, 11, 8, 7, 10, 8, 14, 12, 10, 18, 7, 10, 9, 7, 8, 13, 10, 14, 10, 8, 8, 23, 7, 7, 11, 12, 12, 17, 7, 7, 11, 11, 17, 16, 16, 7, 8, 11, 14, 14, 8, 10, 7, 15, 7, 16, 16, 13, 9, 11, 9, 15, 15, 11, 11, 7, 7, 14, 7, 9, 7, 7, 16, 10, 13, 10, 11, 14, 7, 11, 10, 11, 7, 11, 10, 11, 15, 11, 15, 10, 12, 10, 14, 13, 11, 11, 12, 13, 10, 7, 13, 16, 12, 21, 15, 9, 10, 10, 7, 11, 14, 17, 7, 7, 8, 11, 13, 12, 8, 15, 14, 14, 8, 17, 12, 10, 10, 7, 9, 11, 7, 10, 7, 11, 18, 7, 11, 7, 12, 11, 8, 8, 14, 12, 7, 8, 15, 3, 7, 7, 5, 2, 9, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 2, 5, 3, 3, 3, 3, 3, 3, 4, 4, 3, 3, 3, 3, 3, 3, 5, 11, 6, 4, 7, 10, 7, 7, 11, 1, 10, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 5, 7, 3, 5, 6, 3, 3, 5, 2, 2, 5, 3, 4, 13, 11, 3, 3, 6, 3, 5, 14, 2, 2, 3, 8, 2, 2, 12, 5, 18, 5, 3, 3, 3, 3, 16, 5, 5, 5, 10, 7, 13, 12, 13, 9, 12, 14, 19, 9, 9, 21, 9, 9, 10, 6, 9, 6, 15, 10, 6, 12, 8, 6, 10, 15, 4, 4, 6, 6, 9, 9, 12, 16, 14, 23, 7, 7, 7, 14, 9, 7, 7, 11, 14, 10, 7, 10, 10, 10, 12, 6, 11, 10, 13, 11, 15, 11, 7, 12, 10, 3, 7, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 4, 3, 7, 5, 1, 5, 2, 2, 2, 5, 5, 5, 5, 5, 3, 3, 3, 3, 3, 5, 5, 10, 9, 11, 8, 7, 12, 8, 9, 7, 6, 13, 11, 6, 13, 7, 9, 9, 4, 4, 4, 4, 4, 6, 10, 7, 8, 13, 11, 8, 8, 9, 14, 7, 14, 8, 10, 7, 9, 7, 7, 9, 6, 9, 2, 12, 5, 3, 3, 13, 4, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 8, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 9, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 2, 2, 2, 5, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 1, 7, 6, 4, 12, 3, 3, 3, 3, 3, 8, 7, 3, 3, 3, 3, 3, 3, 4, 4, 11, 15, 14, 2, 8, 3, 5, 5, 8, 10, 8, 6, 4, 7, 17, 7, 4, 5, 2, 6, 3, 5, 4, 2, 2, 12, 5, 5, 3, 15, 13, 8, 11, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 5, 3, 3, 3, 3, 4, 2, 3, 18, 2, 12, 5, 3, 3, 3, 3, 3, 5, 16, 8, 8, 9, 6, 6, 4, 4, 4, 4, 31, 6, 6, 10, 11, 21, 10, 9, 7, 10, 7, 7, 2, 4, 4, 4, 4, 6, 5, 3, 3, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 6, 6, 4, 6, 2, 2, 2, 5, 3, 3, 3, 7, 7, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 3, 3, 3, 3, 8, 2, 3, 3, 3, 3, 3, 5, 9, 11, 3, 3, 3, 3, 4, 4, 3, 3, 3, 3, 3, 5, 10, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 11, 10, 10, 10, 10, 10, 11, 10, 11, 10, 11, 10, 9, 9, 11, 3, 3, 3, 3, 3, 3, 2, 2, 3, 3, 5, 5, 3, 7, 8, 8, 7, 6, 6, 11, 4, 4, 4, 4, 7, 8, 9, 9, 2, 3, 7, 4, 4, 2, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 2, 2, 5, 5, 5, 5, 5, 3, 3, 5, 5, 5, 7, 7, 6, 6, 6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6, 6, 8, 8, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 6, 9, 12, 3, 7, 10, 7, 2, 2, 3, 3, 3, 3, 3, 4, 3, 3, 2, 2, 2, 2, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 8, 8, 6, 6, 8, 6, 7, 4, 4, 4, 4, 4, 4, 6, 7, 5, 5, 20, 19, 8, 10, 9, 7, 10, 6, 8, 11, 6, 6, 6, 6, 13, 12, 8, 6, 7, 14, 11, 9, 2, 5, 3, 6, 2, 3, 2, 2, 2, 2, 2, 2, 2, 5, 4, 3, 7, 6, 4, 7, 4, 3, 6, 4, 7, 2, 2, 7, 7, 7, 5, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 9, 10, 10, 11, 7, 8, 20, 7, 9, 8, 9, 8, 12, 6, 6, 6, 8, 9, 8, 12, 6, 6, 8, 13, 10, 12, 6, 6, 7, 7, 9, 6, 4, 4, 4, 4, 4, 4, 10, 6, 6, 6, 7, 14, 11, 10, 7, 8, 10, 8, 11, 14, 11, 11, 9, 7, 9, 8, 11, 9, 17, 10, 9, 2, 2, 2, 9, 3, 3, 3, 3, 15, 14, 9, 5, 5, 2, 8, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 15, 12, 22, 19, 17, 18, 18, 19, 21, 7, 16, 16, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 7, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 9, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 7, 16, 11, 11, 7, 7, 7, 7, 17, 7, 8, 12, 15, 9, 19, 7, 19, 8, 21, 11, 12, 19, 14, 22, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 16, 16, 19, 24, 12, 7, 14, 7, 12, 7, 8, 10, 10, 13, 7, 12, 12, 7, 7, 10, 18, 15, 12, 16, 7, 14, 12, 17, 10, 16, 17, 12, 17, 25, 7, 7, 7, 13, 6, 9, 6, 9, 18, 6, 6, 11, 20, 10, 6, 6, 6, 6, 6, 6, 17, 6, 6, 6, 15, 6, 6, 6, 6, 6, 8, 14, 11, 12, 11, 15, 13, 19, 17, 21, 7, 18, 8, 13, 13, 8, 12, 8, 6, 6, 13, 6, 15, 15, 16, 6, 6, 16, 6, 6, 6, 14, 6, 18, 6, 6, 6, 17, 18, 9, 13, 15, 8, 19, 8, 15, 15, 18, 14, 16, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6, 11, 10, 11, 6, 21, 23, 12, 17, 12, 11, 14, 13, 22, 15, 15, 11, 12, 14, 12, 7, 12, 8, 12, 14, 12, 18, 10, 8, 16, 19, 17, 12, 14, 15, 8, 19, 17, 12, 13, 13, 15, 18, 13, 23, 24, 23, 21, 17, 24, 8, 21, 8, 14, 14, 16, 20, 14, 8, 8, 15, 20, 8, 19, 21, 9, 8, 13, 12, 13, 15, 11, 8, 11, 9, 9, 8, 11, 8, 21, 14, 21, 15, 15, 13, 7, 19, 7, 7, 7, 7, 7, 7, 16, 12, 17, 18, 7, 7, 11, 11, 7, 9, 9, 2, 2, 3, 3, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 10, 10, 7, 9, 7, 7, 7, 6, 8, 6, 6, 6, 6, 6, 6, 6, 7, 6, 8, 6, 6, 9, 7, 7, 7, 4, 4, 4, 4, 4, 4, 4, 4, 8, 9, 8, 7, 8, 7, 8, 10, 7, 5, 5, 5, 5, 5, 5, 3, 9, 7, 7, 8, 6, 6, 6, 6, 6, 6, 6, 6, 9, 6, 6, 9, 11, 13, 7, 8, 9, 9, 5, 5, 5, 7, 8, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 7, 10, 9, 10, 7, 8, 5, 5, 5, 5, 5, 5, 7, 7, 9, 8, 7, 7, 6, 6, 6, 6, 6, 6, 10, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 9, 10, 4, 4, 4, 4, 8, 7, 7, 10, 10, 9, 8, 8, 15, 9, 8, 8, 8, 8, 8, 9, 10, 9, 10, 7, 8, 13, 5, 5, 5, 5, 5, 3, 3, 7, 7, 8, 6, 6, 6, 4, 4, 11, 9, 7, 8, 9, 10, 7, 5, 5, 5, 5, 5, 3, 3, 7, 6, 6, 13, 7, 9, 8, 7, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 7, 8, 7, 8, 13, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 8, 6, 6, 6, 6, 7, 6, 7, 6, 6, 9, 7, 4, 4, 4, 4, 4, 4, 4, 7, 8, 7, 8, 9, 8, 8, 8, 7, 10, 7, 8, 5, 5, 5, 5, 5, 5, 5, 5, 3, 7, 7, 7, 7, 9, 7, 10, 9, 6, 6, 6, 6, 6, 8, 8, 6, 6, 6, 7, 6, 6, 6, 9, 9, 4, 4, 13, 7, 10, 9, 9, 12, 7, 8, 8, 10, 8, 8, 8, 8, 8, 8, 5, 5, 5, 5, 3, 7, 7, 11, 7, 9, 8, 8, 6, 6, 10, 6, 8, 8, 8, 6, 7, 6, 6, 12, 4, 4, 4, 4, 4, 4, 4, 4, 4, 9, 8, 8, 16, 8, 9, 8, 7, 5, 5, 5, 5, 5, 3, 3, 7, 7, 7, 10, 15, 8, 9, 8, 9, 9, 6, 6, 6, 6, 6, 6, 7, 4, 8, 7, 8, 8, 7, 8, 11, 8, 5, 5, 5, 5, 5, 3, 7, 7, 6, 11, 16, 7, 6, 4, 4, 4, 4, 9, 9, 8, 8, 8, 13, 12, 8, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 11, 7, 8, 8, 9, 13, 7, 7, 7, 9, 8, 8, 9, 12, 7, 12, 7, 12, 8, 7, 10, 12, 9, 9, 6, 6, 8, 8, 6, 6, 6, 6, 6, 6, 6, 9, 8, 9, 11, 8, 6, 6, 6, 6, 6, 12, 7, 6, 6, 6, 9, 7, 7, 6, 6, 6, 6, 6, 11, 9, 6, 6, 6, 6, 6, 7, 9, 4, 4, 4, 4, 4, 4, 4, 4, 9, 9, 9, 9, 7, 7, 7, 7, 7, 11, 7, 7, 8, 8, 8, 8, 8, 8, 9, 8, 9, 9, 7, 7, 11, 11, 7, 12, 8, 8, 8, 8, 8, 7, 8, 8, 8, 8, 8, 13, 12, 8, 8, 8, 8, 7, 7, 7, 9, 5, 5, 5, 5, 5, 5, 5, 3, 3, 7, 7, 11, 7, 8, 8, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 10, 11, 6, 7, 9, 4, 4, 4, 4, 4, 4, 9, 9, 8, 9, 8, 8, 8, 7, 7, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 11, 7, 7, 7, 9, 6, 6, 11, 8, 10, 6, 6, 6, 12, 8, 8, 7, 6, 6, 8, 7, 4, 4, 4, 4, 4, 4, 4, 4, 9, 10, 9, 9, 8, 10, 9, 11, 8, 5, 5, 5, 7, 6, 6, 8, 7, 4, 4, 4, 4, 8, 7, 7, 8, 7, 8, 8, 5, 5, 5, 5, 7, 7, 8, 8, 8, 6, 6, 6, 6, 6, 10, 8, 9, 13, 6, 7, 6, 6, 8, 7, 8, 4, 4, 4, 4, 11, 8, 8, 8, 10, 5, 5, 8, 7, 8, 13, 8, 7, 6, 8, 6, 9, 7, 8, 7, 5, 5, 5, 5, 5, 5, 3, 3, 7, 8, 9, 6, 4, 8, 10, 10, 8, 12, 9, 13, 2, 7, 5, 5, 5, 5, 5, 7, 7, 10, 6, 6, 6, 6, 6, 6, 6, 8, 4, 4, 9, 8, 8, 8, 14, 8, 8, 8, 9, 8, 5, 5, 5, 5, 5, 3, 3, 9, 6, 6, 6, 6, 10, 12, 6, 6, 6, 6, 6, 6, 6, 4, 4, 4, 4, 11, 8, 7, 8, 8, 8, 5, 5, 3, 3, 3, 3, 7, 7, 6, 8, 6, 8, 11, 7, 6, 6, 6, 7, 4, 8, 11, 9, 10, 5, 5, 5, 3, 3, 3, 7, 7, 8, 9, 8, 15, 9, 6, 6, 6, 6, 6, 6, 11, 11, 4, 4, 4, 4, 4, 7, 9, 9, 10, 8, 7, 5, 5, 5, 5, 5, 5, 3, 3, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 9, 7, 4, 4, 4, 4, 4, 9, 9, 8, 8, 10, 13, 5, 5, 5, 3, 17, 7, 7, 7, 7, 7, 8, 6, 8, 13, 6, 6, 6, 6, 6, 6, 6, 6, 4, 4, 4, 9, 10, 8, 8, 8, 5, 5, 5, 5, 3, 7, 7, 7, 8, 8, 6, 6, 6, 8, 8, 8, 9, 10, 8, 4, 8, 10, 9, 8, 8, 8, 9, 13, 10, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 7, 8, 9, 9, 7, 7, 7, 10, 9, 9, 8, 9, 8, 8, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 12, 6, 6, 6, 6, 6, 6, 6, 6, 6, 12, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 11, 8, 8, 9, 9, 10, 8, 9, 7, 7, 5, 5, 5, 5, 5, 5, 3, 7, 8, 7, 6, 6, 8, 6, 6, 10, 4, 7, 8, 9, 12, 8, 7, 7, 5, 5, 5, 5, 5, 5, 3, 3, 7, 14, 7, 9, 8, 8, 6, 6, 8, 12, 12, 6, 6, 7, 7, 10, 4, 4, 4, 4, 4, 9, 9, 14, 9, 13, 8, 7, 5, 5, 5, 6, 6, 6, 7, 4, 8, 7, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 7, 7, 7, 8, 6, 6, 6, 6, 6, 6, 12, 6, 6, 6, 6, 4, 4, 9, 9, 8, 8, 11, 7, 7, 7, 5, 5, 5, 3, 9, 8, 6, 6, 7, 4, 4, 4, 4, 4, 4, 8, 8, 11, 5, 5, 5, 7, 7, 7, 9, 6, 6, 6, 6, 6, 6, 9, 8, 4, 4, 4, 4, 7, 12, 9, 8, 8, 8, 7, 10, 10, 5, 5, 5, 5, 5, 5, 5, 3, 11, 14, 8, 7, 8, 8, 6, 6, 6, 6, 6, 8, 7, 6, 6, 6, 7, 6, 8, 9, 4, 4, 4, 7, 8, 9, 7, 9, 7, 7, 9, 8, 5, 5, 5, 5, 5, 5, 5, 5, 5, 11, 3, 9, 7, 7, 12, 14, 8, 6, 6, 12, 11, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 15, 7, 4, 4, 4, 16, 9, 9, 9, 8, 9, 9, 9, 9, 9, 8, 8, 8, 13, 11, 8, 5, 5, 5, 5, 3, 7, 6, 6, 8, 8, 8, 6, 6, 7, 10, 7, 4, 4, 4, 4, 9, 7, 8, 7, 7, 7, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 7, 7, 7, 9, 6, 6, 6, 6, 6, 8, 8, 7, 7, 9, 6, 6, 6, 7, 6, 6, 6, 6, 6, 15, 4, 4, 4, 4, 4, 8, 8, 7, 8, 12, 9, 8, 8, 8, 8, 8, 9, 8, 8, 10, 8, 8, 8, 8, 16, 9, 10, 2, 5, 5, 5, 5, 5, 5, 5, 9, 7, 6, 8, 9, 4, 4, 4, 4, 4, 7, 8, 8, 8, 9, 8, 11, 10, 5, 5, 5, 5, 3, 7, 8, 6, 6, 6, 6, 6, 8, 6, 6, 6, 6, 4, 12, 10, 12, 7, 7, 7, 7, 7, 7, 7, 5, 5, 5, 5, 3, 3, 7, 7, 10, 8, 9, 7, 6, 10, 7, 6, 6, 4, 4, 8, 9, 7, 9, 9, 9, 9, 8, 8, 8, 8, 10, 5, 5, 5, 5, 5, 5, 8, 7, 6, 6, 6, 10, 6, 7, 10, 7, 4, 4, 4, 4, 4, 4, 4, 12, 9, 10, 7, 7, 10, 8, 10, 5, 12, 9, 6, 6, 6, 6, 6, 7, 6, 4, 4, 4, 10, 9, 9, 8, 7, 7, 5, 5, 5, 5, 5, 5, 3, 3, 13, 7, 7, 9, 7, 7, 7, 8, 9, 9, 7, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 13, 9, 15, 15, 4, 4, 4, 4, 4, 10, 10, 9, 8, 9, 8, 8, 9, 7, 8, 7, 8, 5, 5, 7, 6, 6, 6, 4, 4, 4, 7, 8, 11, 8, 5, 5, 5, 5, 5, 5, 5, 7, 6, 6, 6, 6, 6, 6, 9, 11, 10, 7, 4, 4, 4, 9, 8, 8, 5, 5, 5, 5, 5, 9, 9, 6, 6, 6, 6, 6, 6, 6, 9, 9, 4, 4, 4, 4, 8, 8, 8, 9, 9, 8, 8, 8, 13, 2, 4, 2, 7, 5, 5, 5, 5, 5, 5, 9, 9, 6, 6, 6, 6, 10, 8, 8, 8, 6, 6, 6, 4, 4, 9, 8, 10, 8, 9, 8, 8, 8, 9, 8, 8, 5, 3, 3, 3, 11, 6, 6, 6, 7, 6, 6, 6, 4, 4, 9, 8, 5, 5, 5, 5, 5, 3, 11, 8, 6, 6, 6, 6, 6, 9, 7, 4, 4, 14, 10, 9, 8, 12, 8, 8, 8, 11, 15, 8, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 11, 11, 11, 10, 10, 7, 7, 3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 7, 11, 7, 7, 11, 11, 7, 8, 9, 10, 7, 7, 9, 9, 9, 9, 7, 7, 10, 8, 13, 8, 8, 8, 8, 11, 10, 6, 6, 8, 10, 11, 14, 14, 6, 6, 6, 6, 6, 6, 9, 11, 7, 7, 6, 8, 12, 11, 11, 6, 6, 10, 6, 6, 6, 6, 6, 10, 7, 7, 6, 6, 11, 6, 6, 6, 11, 8, 9, 7, 6, 10, 11, 9, 10, 11, 7, 11, 8, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 8, 6, 6, 8, 9, 10, 9, 6, 6, 6, 10, 6, 6, 6, 6, 11, 10, 11, 10, 9, 8, 7, 7, 7, 7, 11, 14, 8, 10, 9, 9, 8, 8, 7, 11, 8, 8, 8, 11, 11, 10, 10, 9, 10, 8, 11, 10, 8, 11, 9, 12, 8, 10, 8, 11, 8, 9, 9, 11, 11, 10, 11, 13, 8, 7, 8, 8, 9, 7, 8, 8, 8, 8, 7, 8, 2, 2, 2, 2, 2, 2, 2, 4, 4, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 2, 3, 3, 3, 3, 3, 3, 3, 3, 8, 6, 4, 4, 4, 11, 7, 11, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 5, 5, 5, 5, 3, 3, 3, 3, 8, 7, 7, 8, 8, 4, 8, 7, 7, 7, 9, 7, 8, 9, 8, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 6, 3, 3, 3, 3, 3, 3, 3, 3, 4, 2, 2, 3, 3, 3, 3, 3, 3, 4, 5, 5, 3, 3, 8, 8, 6, 9, 4, 4, 10, 7, 3, 3, 3, 2, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 3, 2, 2, 2, 3, 3, 3, 3, 3, 4, 10, 2, 3, 3, 3, 3, 3, 3, 3, 4, 2, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 3, 3, 3, 5, 2, 4, 2, 6, 2, 2, 9, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5, 9, 8, 7, 9, 6, 6, 11, 4, 4, 4, 4, 4, 4, 4, 4, 6, 6, 7, 7, 11, 8, 8, 6, 5, 11, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 2, 2, 3, 3, 3, 3, 3, 3, 6, 4, 4, 4, 4, 3, 3, 3, 3, 5, 7, 2, 3, 3, 3, 3, 3, 8, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 6, 4, 4, 4, 4, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 2, 2, 3, 3, 3, 3, 3, 3, 2, 3, 3, 3, 3, 3, 6, 3, 3, 8, 10, 3, 4, 4, 1, 1, 1, 1, 1, 1, 1, 8, 9, 10, 7, 7, 1, 14, 18, 13, 18, 13, 10, 10, 16, 13, 18, 16, 13, 16, 18, 13, 22, 16, 16, 16, 14, 21, 16, 9, 14, 16, 9, 9, 14, 10, 10, 14, 12, 14, 19, 12, 11, 18, 13, 17, 15, 15, 15, 15, 16, 14, 13, 19, 18, 15, 19, 18, 12, 18, 12, 11, 20, 14, 15, 10, 17, 17, 16, 19, 20, 21, 15, 13, 16, 15, 15, 15, 1, 1, 3, 8, 7, 7, 8, 8, 8, 1, 6, 1, 1, 6, 3, 3, 4, 7, 3, 3, 5, 5, 4, 4, 4, 4, 4, 2, 7, 7, 8, 12, 3, 4, 5, 1, 3, 4, 4, 10, 4, 3, 3, 3, 8, 7, 7, 2, 2, 2, 2, 2, 2, 2, 2, 2, 12, 9, 20, 7, 5, 5, 5, 9, 13, 5, 5, 5, 5, 5, 3, 3, 3, 16, 5, 5, 5, 13, 7, 8, 8, 11, 8, 7, 9, 7, 11, 12, 9, 9, 8, 8, 11, 10, 14, 7, 12, 10, 11, 13, 7, 9, 11, 17, 17, 14, 13, 7, 8, 7, 10, 10, 7, 16, 13, 7, 8, 17, 12, 9, 8, 6, 7, 10, 6, 6, 12, 6, 8, 10, 8, 8, 8, 6, 8, 6, 14, 6, 6, 6, 13, 6, 10, 6, 6, 7, 14, 8, 6, 6, 10, 11, 10, 9, 9, 7, 7, 6, 6, 6, 9, 9, 7, 9, 10, 9, 13, 12, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6, 6, 6, 8, 8, 6, 8, 9, 10, 9, 7, 10, 10, 8, 7, 8, 7, 10, 12, 9, 8, 15, 8, 7, 8, 8, 7, 7, 15, 13, 7, 10, 9, 14, 18, 16, 7, 24, 7, 8, 10, 11, 16, 8, 14, 7, 9, 9, 9, 13, 19, 14, 15, 14, 11, 7, 13, 9, 10, 7, 13, 9, 10, 11, 12, 8, 9, 2, 3, 5, 8, 7, 4, 4, 15, 10, 5, 3, 3, 3, 3, 3, 5, 4, 4, 4, 2, 2, 2, 2, 2, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 2, 12, 5, 3, 8, 10, 15, 6, 7, 2, 3, 2, 5, 5, 12, 2, 5, 5, 5, 5, 2, 2, 5, 5, 12, 9, 5, 2, 2, 9, 5, 5, 12, 12, 5, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 9, 12, 5, 8, 8, 9, 5, 5, 5, 8, 19, 7, 16, 15, 14, 9, 9, 9, 9, 7, 11, 11, 11, 7, 14, 10, 10, 5, 5, 5, 5, 5, 5, 5, 5, 5, 15, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 9, 9, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 14, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 15, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 12, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 9, 9, 12, 9, 9, 12, 12, 12, 15, 7, 11, 7, 14, 11, 18, 13, 8, 18, 15, 18, 12, 14, 12, 8, 8, 8, 8, 9, 9, 9, 12, 7, 10, 10, 8, 8, 12, 12, 12, 7, 12, 12, 9, 7, 7, 7, 7, 7, 8, 15, 12, 9, 10, 10, 7, 10, 10, 13, 11, 10, 9, 22, 11, 9, 8, 8, 8, 8, 8, 13, 18, 13, 9, 15, 19, 9, 7, 7, 10, 7, 7, 7, 11, 8, 13, 17, 7, 7, 10, 10, 10, 7, 20, 16, 7, 7, 7, 7, 7, 7, 11, 21, 12, 12, 13, 11, 14, 16, 8, 8, 13, 11, 7, 7, 13, 7, 7, 14, 15, 15, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 13, 10, 18, 6, 6, 6, 6, 6, 6, 6, 6, 6, 11, 8, 8, 12, 12, 11, 11, 8, 12, 9, 9, 9, 13, 13, 9, 9, 9, 9, 9, 9, 6, 10, 12, 6, 6, 6, 6, 17, 11, 7, 7, 7, 7, 14, 14, 12, 6, 7, 7, 6, 6, 15, 10, 13, 10, 6, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 13, 9, 9, 15, 13, 6, 12, 12, 6, 19, 11, 10, 7, 7, 16, 8, 19, 17, 9, 9, 9, 9, 9, 6, 6, 6, 10, 8, 16, 8, 6, 6, 9, 6, 6, 6, 6, 6, 6, 6, 6, 8, 8, 8, 6, 7, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 14, 6, 6, 6, 6, 20, 6, 9, 6, 14, 9, 9, 9, 6, 9, 8, 8, 12, 9, 8, 8, 8, 8, 7, 8, 12, 7, 8, 8, 8, 6, 8, 6, 6, 6, 6, 6, 6, 6, 9, 8, 8, 6, 6, 13, 9, 12, 13, 12, 14, 13, 12, 11, 11, 6, 8, 8, 8, 6, 13, 12, 11, 11, 12, 6, 11, 12, 11, 13, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 15, 6, 6, 6, 6, 6, 6, 6, 13, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 8, 8, 8, 6, 18, 6, 12, 13, 13, 13, 9, 10, 15, 9, 12, 6, 6, 6, 6, 6, 6, 6, 6, 9, 15, 10, 9, 10, 13, 9, 19, 8, 18, 17, 10, 10, 8, 8, 6, 6, 6, 6, 6, 6, 10, 14, 8, 16, 16, 9, 8, 15, 8, 8, 10, 12, 14, 7, 7, 8, 8, 7, 7, 7, 7, 8, 13, 13, 11, 9, 9, 9, 12, 10, 17, 8, 11, 9, 7, 7, 14, 8, 14, 14, 7, 7, 7, 7, 7, 7, 14, 7, 7, 7, 7, 7, 10, 10, 8, 14, 7, 7, 7, 7, 8, 8, 8, 8, 8, 17, 9, 7, 15, 7, 8, 12, 7, 9, 14, 7, 7, 7, 9, 13, 8, 14, 7, 16, 18, 13, 15, 14, 12, 13, 10, 15, 9, 7, 7, 7, 10, 13, 15, 15, 9, 9, 9, 9, 19, 11, 7, 11, 11, 13, 8, 8, 8, 8, 7, 12, 19, 17, 9, 9, 13, 7, 7, 7, 9, 7, 7, 7, 12, 13, 15, 10, 8, 8, 14, 15, 12, 13, 13, 8, 12, 14, 7, 11, 7, 14, 15, 13, 12, 8, 8, 8, 8, 11, 13, 15, 15, 8, 13, 12, 8, 8, 8, 13, 10, 16, 14, 11, 8, 8, 12, 12, 9, 15, 15, 12, 12, 13, 8, 8, 9, 12, 13, 9, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 11, 12, 11, 7, 14, 7, 13, 13, 13, 12, 18, 16, 7, 12, 11, 10, 10, 15, 9, 9, 9, 21, 7, 7, 7, 11, 16, 8, 8, 11, 11, 7, 7, 7, 7, 7, 19, 7, 7, 7, 7, 7, 7, 7, 7, 7, 12, 8, 9, 12, 14, 11, 9, 9, 9, 22, 12, 3, 3, 4, 8, 8, 15, 4, 2, 2, 5, 5, 3, 3, 3, 3, 3, 3, 6, 6, 4, 4, 4, 12, 7, 10, 2, 3, 3, 3, 3, 3, 3, 3, 6, 7, 3, 7, 5, 14, 4, 4, 7, 8, 10, 4, 1, 3, 3, 6, 2, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4, 2, 2, 5, 3, 4, 2, 2, 2, 2, 2, 2, 2, 11, 5, 5, 5, 11, 5, 5, 3, 5, 5, 5, 5, 11, 14, 13, 9, 11, 9, 12, 8, 11, 11, 8, 11, 16, 9, 9, 7, 10, 9, 12, 8, 15, 6, 7, 6, 6, 13, 10, 8, 11, 8, 6, 6, 6, 12, 16, 6, 11, 7, 8, 9, 18, 6, 6, 9, 4, 4, 6, 13, 6, 6, 6, 6, 8, 8, 9, 16, 7, 7, 14, 7, 8, 8, 8, 7, 7, 7, 7, 7, 7, 15, 13, 7, 10, 7, 7, 10, 12, 16, 15, 7, 9, 9, 14, 11, 11, 10, 9, 10, 8, 12, 7, 8, 7, 7, 10, 12, 7, 12, 8, 7, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 3, 3, 5, 5, 5, 10, 7, 4, 4, 4, 8, 7, 10, 9, 7, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3, 3, 3, 7, 4, 5, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 6, 6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 9, 8, 2, 2, 2, 8, 12, 7, 7, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 8, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5, 7, 11, 9, 8, 8, 8, 7, 8, 9, 7, 7, 9, 7, 7, 7, 10, 7, 7, 10, 9, 10, 6, 6, 6, 6, 6, 6, 15, 7, 8, 9, 9, 8, 6, 6, 10, 9, 6, 8, 13, 9, 7, 6, 6, 6, 6, 6, 6, 12, 6, 6, 7, 6, 7, 6, 6, 6, 10, 10, 7, 6, 6, 6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6, 14, 6, 6, 7, 7, 9, 6, 6, 6, 6, 9, 9, 8, 9, 10, 9, 8, 9, 12, 7, 7, 7, 8, 7, 10, 12, 11, 9, 10, 7, 7, 7, 9, 10, 10, 8, 12, 9, 7, 7, 9, 8, 8, 8, 10, 7, 7, 8, 9, 9, 7, 7, 7, 8, 2, 4, 2, 4, 6, 3, 4, 2, 3, 3, 3, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 5, 8, 6, 4, 7, 3, 3, 3, 3, 3, 3, 3, 12, 3, 3, 3, 3, 3, 3, 4, 4, 2, 3, 5, 3, 4, 7, 3, 3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3, 3, 4, 3, 3, 6, 4, 3, 4, 2, 2, 2, 5, 3, 3, 3, 3, 3, 5, 4, 4, 4, 4, 2, 7, 6, 8, 9, 2, 2, 2, 2, 3, 3, 3, 5, 7, 2, 3, 3, 8, 7, 7, 2, 2, 8, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 8, 8, 7, 7, 6, 10, 6, 9, 7, 11, 4, 6, 8, 8, 7, 8, 4, 2, 5, 5, 5, 5, 3, 3, 3, 11, 8, 9, 6, 6, 8, 7, 4, 4, 7, 6, 8, 7, 2, 2, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3, 3, 3, 7, 2, 2, 5, 3, 3, 2, 3, 3, 3, 3, 3, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 12, 5, 5, 3, 3, 3, 5, 10, 12, 6, 15, 4, 6, 6, 7, 14, 9, 3, 3, 3, 3, 3, 8, 2, 2, 3, 5, 5, 3, 3, 3, 3, 3, 3, 8, 8, 6, 8, 7, 5, 8, 4, 6, 11, 2, 2, 7, 3, 3, 2, 9, 8, 5, 5, 3, 3, 3, 5, 5, 7, 7, 6, 6, 10, 6, 8, 6, 8, 9, 7, 4, 4, 4, 4, 7, 6, 6, 8, 7, 7, 10, 9, 9, 8, 11, 8, 3, 3, 3, 3, 3, 4, 4, 2, 3, 3, 3, 3, 3, 7, 6, 2, 5, 5, 6, 7, 6, 4, 8, 9, 11, 2, 2, 3, 3, 3, 3, 3, 3, 3, 2, 2, 5, 3, 3, 3, 3, 3, 9, 9, 6, 4, 8, 7, 7, 5, 9, 8, 6, 2, 6, 8, 7, 8, 5, 5, 5, 5, 5, 3, 3, 3, 16, 8, 7, 7, 7, 8, 7, 7, 7, 7, 9, 6, 9, 6, 10, 7, 7, 7, 6, 10, 8, 9, 11, 11, 8, 4, 4, 10, 8, 8, 6, 9, 6, 11, 8, 8, 8, 15, 7, 8, 9, 5, 3, 3, 3, 3, 3, 5, 2, 2, 3, 8, 9, 10, 3, 2, 2, 2, 2, 2, 2, 3, 6, 4, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 2, 3, 3, 3, 3, 3, 3, 3, 11, 5, 3, 3, 3, 3, 3, 3, 3, 3, 6, 7, 4, 4, 2, 3, 3, 3, 3, 3, 3, 3, 12, 7, 4, 12, 4, 6, 5, 4, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 11, 10, 6, 4, 6, 10, 8, 3, 3, 3, 3, 3, 3, 3, 3, 5, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2, 5, 3, 4, 4, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 10, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 7, 8, 8, 7, 13, 12, 10, 10, 8, 8, 7, 7, 9, 12, 11, 6, 6, 8, 8, 9, 7, 7, 7, 10, 15, 10, 4, 4, 4, 4, 4, 11, 8, 8, 9, 7, 9, 14, 14, 12, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 12, 5, 5, 5, 11, 10, 7, 9, 3, 8, 7, 3, 15, 13, 11, 4, 4, 2, 2, 2, 19, 7, 5, 5, 3, 3, 3, 3, 3, 3, 3, 5, 22, 18, 6, 14, 17, 4, 4, 19, 16, 18, 2, 3, 3, 7, 2, 3, 2, 3, 3, 6, 4, 2, 3, 3, 2, 5, 3, 3, 3, 3, 3, 3, 3, 9, 9, 2, 3, 2, 2, 2, 3, 3, 3, 5, 7, 14, 7, 7, 12, 9, 13, 6, 11, 6, 10, 9, 7, 7, 8, 12, 12, 8, 8, 8, 10, 7, 7, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 5, 8, 10, 7, 8, 11, 8, 12, 9, 4, 14, 7, 7, 9, 13, 2, 3, 3, 3, 3, 3, 3, 2, 3, 3, 3, 1, 2, 2, 3, 3, 3, 3, 3, 3, 5, 2, 2, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 8, 4, 4, 4, 3, 2, 3, 3, 3, 3, 5, 2, 2, 2, 2, 2, 2, 2, 5, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 12, 9, 8, 8, 9, 8, 6, 17, 6, 6, 6, 8, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 4, 4, 8, 8, 9, 9, 9, 7, 7, 7, 7, 7, 7, 7, 9, 9, 9, 7, 8, 8, 8, 10, 7, 13, 10, 8, 9, 3, 3, 5, 3, 3, 3, 3, 3, 7, 7, 6, 6, 10, 13, 11, 11, 8, 8, 9, 8, 9, 9, 10, 10, 10, 11, 10, 10, 13, 13, 16, 15, 11, 12, 9, 9, 10, 9, 11, 10, 9, 9, 14, 7, 8, 3, 10, 7, 7, 3, 2, 2, 2, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 6, 7, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 11, 6, 7, 4, 6, 2, 2, 3, 3, 3, 1, 3, 3, 3, 3, 3, 3, 6, 4, 4, 2, 2, 2, 3, 3, 3, 3, 4, 4, 6, 6, 6, 6, 5, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 9, 11, 6, 10, 9, 12, 7, 7, 11, 14, 9, 7, 12, 3, 3, 7, 12, 11, 12, 7, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 9, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 11, 5, 5, 5, 5, 5, 5, 5, 5, 11, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 10, 3, 3, 3, 11, 3, 5, 9, 11, 8, 12, 14, 9, 7, 8, 7, 7, 11, 11, 7, 7, 10, 9, 8, 10, 9, 7, 7, 7, 7, 7, 7, 8, 8, 7, 11, 8, 8, 8, 7, 7, 10, 8, 7, 13, 12, 7, 17, 10, 8, 8, 11, 7, 11, 11, 14, 7, 11, 7, 8, 6, 9, 20, 8, 7, 9, 16, 7, 10, 6, 11, 10, 8, 9, 7, 16, 11, 11, 9, 8, 9, 8, 8, 8, 11, 8, 15, 8, 8, 9, 7, 8, 8, 11, 10, 7, 5, 7, 10, 10, 15, 7, 7, 7, 8, 7, 8, 8, 10, 11, 10, 10, 10, 11, 11, 7, 8, 6, 8, 8, 10, 6, 8, 6, 6, 7, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 16, 6, 15, 6, 7, 11, 11, 7, 9, 10, 11, 13, 10, 6, 16, 8, 10, 12, 11, 6, 6, 6, 6, 6, 6, 6, 10, 6, 10, 7, 7, 7, 11, 7, 11, 6, 6, 6, 6, 6, 6, 17, 7, 7, 6, 6, 12, 22, 6, 6, 6, 6, 6, 8, 6, 6, 6, 6, 7, 6, 6, 5, 6, 6, 8, 11, 6, 9, 14, 11, 9, 11, 7, 7, 8, 6, 6, 6, 8, 10, 9, 6, 6, 6, 6, 9, 7, 6, 6, 6, 6, 6, 15, 6, 4, 4, 4, 6, 4, 17, 8, 11, 6, 6, 9, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 6, 6, 6, 6, 10, 6, 10, 6, 6, 6, 6, 12, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 9, 6, 6, 6, 6, 18, 6, 6, 6, 8, 9, 10, 7, 8, 9, 10, 11, 7, 13, 6, 8, 8, 6, 6, 14, 7, 7, 7, 7, 10, 7, 14, 9, 6, 6, 9, 15, 9, 7, 14, 6, 11, 14, 13, 7, 12, 8, 7, 7, 7, 7, 7, 12, 7, 10, 9, 16, 6, 8, 6, 5, 17, 6, 8, 10, 4, 6, 4, 10, 15, 17, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 8, 4, 4, 11, 7, 4, 4, 7, 7, 7, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 19, 17, 6, 10, 11, 6, 6, 6, 6, 18, 6, 6, 11, 4, 4, 4, 5, 6, 6, 6, 9, 5, 6, 4, 6, 6, 4, 6, 6, 6, 6, 10, 6, 6, 4, 6, 6, 10, 6, 10, 6, 6, 6, 6, 11, 6, 6, 10, 6, 6, 8, 6, 6, 6, 8, 6, 11, 4, 11, 9, 10, 9, 11, 4, 8, 4, 11, 12, 7, 9, 8, 6, 7, 7, 8, 12, 12, 11, 13, 10, 11, 7, 7, 7, 9, 7, 11, 10, 7, 7, 7, 16, 11, 10, 11, 17, 9, 9, 8, 8, 7, 7, 7, 9, 7, 7, 7, 14, 7, 13, 9, 11, 10, 14, 10, 10, 12, 11, 10, 7, 10, 5, 14, 8, 8, 8, 9, 7, 8, 7, 7, 9, 8, 7, 8, 7, 7, 7, 7, 7, 7, 7, 11, 8, 10, 8, 7, 8, 14, 11, 8, 9, 9, 9, 8, 24, 10, 10, 12, 7, 7, 15, 11, 8, 8, 12, 11, 8, 9, 9, 7, 8, 9, 10, 11, 10, 11, 7, 12, 7, 7, 11, 9, 8, 14, 13, 12, 8, 11, 10, 8, 8, 7, 7, 14, 9, 10, 8, 9, 11, 7, 14, 8, 8, 13, 8, 8, 12, 7, 10, 14, 14, 11, 9, 10, 9, 9, 7, 7, 11, 11, 13, 9, 13, 5, 5, 5, 7, 9, 5, 11, 12, 14, 8, 7, 7, 11, 10, 9, 7, 8, 8, 7, 10, 11, 11, 5, 5, 7, 5, 5, 5, 7, 7, 15, 7, 7, 8, 7, 15, 12, 12, 10, 7, 8, 7, 11, 7, 7, 7, 23, 11, 8, 8, 11, 10, 7, 8, 11, 7, 19, 7, 7, 6, 9, 9, 9, 11, 3, 4, 7, 8, 6, 6, 4, 10, 8, 2, 2]);
var edgeChild = /* @__PURE__ */ new Uint16Array([0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 12, 1, 1, 1, 1, 1, 17, 1, 1, 1, 1, 1, 1, 12, 1, 12, 1, 12, 13, 1, 1, 1, 1, 12, 1, 12, 1, 1, 1, 1, 1, 14, 23, 1, 1, 1, 1, 1, 1, 20, 1, 1, 1, 1, 21, 12, 1, 1, 1, 1, 1, 1, 1, 1, 22, 1, 1, 1, 16, 18, 1, 1, 15, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 24, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 19, 1, 1, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 1, 26, 27, 28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 12, 12, 12, 12, 1, 35, 0, 0, 0, 1, 1, 1, 1, 38, 37, 1, 1, 1, 1, 1, 36, 1, 1, 1, 1, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 41, 0, 0, 0, 0, 42, 43, 0, 0, 0, 0, 12, 1, 1, 1, 12, 1, 1, 1, 46, 48, 48, 48, 46, 48, 46, 46, 47, 48, 46, 48, 46, 46, 46, 46, 46, 46, 48, 46, 46, 47, 46, 46, 46, 46, 48, 49, 49, 47, 48, 46, 46, 46, 46, 46, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 52, 54, 52, 52, 52, 54, 52, 53, 52, 55, 52, 53, 53, 52, 52, 52, 53, 55, 53, 55, 52, 53, 53, 12, 57, 57, 56, 58, 53, 55, 52, 52, 50, 51, 59, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 62, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 69, 70, 12, 1, 1, 68, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 12, 79, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 84, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 82, 85, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 83, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 12, 1, 1, 1, 1, 95, 1, 97, 1, 1, 1, 1, 1, 1, 1, 1, 100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 103, 103, 1, 1, 12, 1, 106, 1, 1, 1, 1, 1, 1, 1, 104, 1, 105, 1, 107, 1, 1, 1, 1, 1, 108, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 116, 117, 1, 1, 1, 1, 1, 1, 119, 119, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 127, 128, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 128, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 128, 1, 1, 1, 1, 1, 1, 1, 1, 1, 132, 129, 131, 126, 1, 130, 1, 1, 120, 1, 1, 1, 1, 123, 1, 133, 1, 1, 1, 1, 1, 1, 125, 1, 114, 1, 115, 1, 12, 134, 112, 118, 1, 1, 1, 1, 1, 113, 121, 1, 12, 12, 12, 124, 122, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 12, 12, 1, 1, 1, 1, 1, 12, 140, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 142, 1, 1, 1, 1, 1, 1, 1, 1, 143, 144, 12, 12, 141, 139, 48, 48, 146, 52, 52, 145, 148, 147, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 151, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 149, 0, 0, 0, 0, 1, 0, 150, 138, 1, 0, 1, 1, 12, 12, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 154, 153, 22, 1, 1, 12, 12, 1, 22, 12, 12, 1, 1, 1, 1, 1, 140, 1, 1, 158, 1, 1, 1, 1, 159, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 1, 1, 142, 1, 1, 158, 1, 1, 1, 1, 159, 1, 1, 1, 140, 1, 1, 1, 158, 1, 163, 1, 1, 1, 159, 1, 1, 140, 1, 1, 1, 163, 1, 1, 1, 1, 1, 140, 1, 1, 1, 1, 1, 1, 1, 1, 140, 1, 1, 163, 1, 1, 163, 1, 1, 1, 1, 1, 1, 1, 169, 1, 1, 1, 158, 1, 1, 163, 1, 1, 1, 159, 1, 1, 169, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 142, 1, 1, 158, 1, 163, 1, 1, 1, 159, 1, 1, 140, 1, 1, 158, 1, 163, 1, 1, 1, 159, 1, 1, 140, 1, 1, 1, 1, 158, 1, 163, 1, 1, 1, 159, 1, 1, 1, 140, 1, 1, 158, 1, 1, 1, 1, 175, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 1, 178, 1, 1, 169, 1, 1, 1, 1, 1, 158, 1, 1, 163, 1, 1, 1, 159, 1, 1, 169, 1, 1, 1, 1, 1, 158, 1, 1, 163, 1, 1, 1, 159, 1, 1, 169, 1, 1, 1, 1, 1, 163, 1, 1, 1, 1, 173, 165, 165, 12, 1, 12, 177, 1, 1, 1, 1, 1, 166, 166, 166, 160, 1, 1, 1, 164, 166, 170, 176, 1, 1, 1, 1, 164, 164, 1, 1, 162, 160, 173, 164, 168, 181, 172, 181, 1, 1, 179, 1, 172, 161, 164, 1, 1, 1, 1, 164, 1, 167, 1, 1, 1, 12, 1, 182, 1, 171, 1, 1, 1, 171, 170, 174, 180, 162, 173, 1, 1, 1, 1, 1, 1, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 184, 185, 184, 184, 185, 184, 184, 184, 184, 186, 186, 184, 184, 185, 184, 185, 184, 184, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 188, 12, 1, 12, 12, 12, 12, 1, 12, 12, 12, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 201, 1, 203, 204, 202, 201, 201, 1, 1, 207, 1, 208, 206, 1, 12, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 219, 201, 201, 201, 201, 219, 1, 1, 1, 1, 222, 223, 221, 1, 1, 1, 1, 1, 1, 225, 225, 1, 1, 1, 225, 225, 227, 228, 226, 1, 230, 1, 1, 1, 1, 12, 236, 237, 238, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 205, 209, 1, 1, 1, 1, 157, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 233, 1, 1, 1, 200, 1, 1, 1, 1, 244, 1, 1, 241, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 191, 216, 1, 1, 1, 212, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 198, 1, 1, 1, 1, 1, 1, 1, 217, 1, 1, 1, 1, 232, 1, 1, 1, 1, 183, 1, 220, 1, 215, 1, 1, 1, 218, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 196, 1, 12, 1, 1, 12, 1, 1, 1, 1, 199, 1, 1, 1, 214, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 245, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 231, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 190, 12, 1, 1, 1, 193, 12, 1, 1, 1, 1, 1, 1, 1, 235, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 192, 1, 1, 1, 1, 1, 1, 1, 240, 1, 1, 1, 197, 1, 1, 1, 213, 1, 12, 1, 229, 210, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 217, 1, 1, 1, 1, 195, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 187, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 211, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 242, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 243, 1, 1, 12, 1, 1, 1, 1, 194, 1, 1, 1, 211, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 234, 1, 1, 1, 189, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 224, 1, 1, 1, 12, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 239, 1, 1, 12, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 255, 0, 0, 0, 0, 0, 256, 0, 0, 0, 0, 0, 0, 1, 12, 1, 1, 1, 260, 1, 1, 1, 0, 261, 258, 259, 1, 1, 1, 1, 1, 1, 266, 1, 268, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 264, 1, 1, 1, 1, 1, 270, 1, 1, 12, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 269, 1, 1, 1, 12, 1, 1, 1, 1, 265, 1, 1, 1, 263, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 267, 1, 1, 1, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 1, 12, 1, 1, 1, 1, 12, 1, 1, 276, 1, 13, 1, 1, 1, 12, 12, 273, 274, 1, 1, 1, 1, 275, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 278, 1, 1, 12, 16, 1, 1, 1, 1, 1, 1, 279, 1, 1, 1, 277, 12, 12, 1, 1, 1, 1, 1, 1, 1, 1, 279, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 288, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 292, 292, 1, 0, 0, 0, 0, 0, 1, 12, 0, 0, 0, 0, 0, 0, 0, 0, 184, 1, 297, 298, 1, 12, 1, 1, 1, 1, 12, 300, 1, 1, 299, 1, 1, 302, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 307, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 12, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 12, 0, 319, 0, 0, 320, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 336, 1, 1, 1, 1, 1, 1, 0, 0, 62, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 344, 0, 0, 0, 0, 0, 0, 0, 0, 0, 346, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 362, 362, 363, 362, 0, 1, 211, 1, 1, 13, 358, 1, 356, 0, 0, 0, 0, 0, 0, 0, 359, 1, 1, 364, 1, 241, 1, 1, 1, 1, 357, 1, 1, 354, 1, 360, 1, 352, 1, 361, 1, 353, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 12, 355, 355, 1, 1, 1, 200, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 12, 1, 1, 1, 1, 351, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 367, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 302, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 407, 407, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 399, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 375, 386, 1, 1, 374, 409, 1, 380, 1, 1, 372, 404, 1, 1, 390, 371, 376, 1, 1, 1, 383, 414, 392, 1, 1, 1, 1, 1, 1, 393, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 402, 406, 0, 0, 85, 1, 1, 0, 400, 377, 413, 378, 381, 388, 1, 403, 0, 1, 0, 85, 397, 395, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 416, 1, 1, 387, 1, 85, 1, 0, 1, 1, 1, 419, 1, 0, 0, 85, 394, 0, 1, 373, 1, 1, 1, 0, 1, 1, 396, 1, 0, 1, 1, 1, 0, 1, 421, 384, 1, 1, 0, 1, 0, 0, 412, 0, 1, 1, 1, 85, 405, 1, 1, 401, 398, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 379, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 411, 0, 85, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 415, 1, 1, 1, 0, 0, 418, 0, 0, 0, 1, 391, 1, 0, 85, 417, 1, 0, 0, 0, 0, 420, 1, 1, 0, 0, 1, 0, 1, 0, 389, 0, 385, 0, 1, 1, 1, 0, 1, 1, 0, 408, 382, 410, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 12, 1, 1, 1, 12, 436, 436, 1, 1, 12, 12, 1, 436, 1, 1, 12, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 448, 1, 1, 0, 1, 1, 1, 1, 241, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 466, 466, 1, 1, 0, 0, 352, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 479, 1, 478, 1, 1, 1, 1, 1, 1, 1, 1, 1, 483, 1, 12, 12, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 491, 1, 1, 1, 493, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 490, 1, 485, 1, 1, 1, 1, 472, 1, 1, 1, 1, 1, 1, 1, 1, 486, 12, 1, 1, 1, 1, 492, 1, 1, 1, 487, 481, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 352, 1, 469, 1, 1, 12, 489, 1, 1, 352, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 474, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 492, 1, 1, 1, 1, 352, 1, 488, 1, 1, 1, 482, 476, 1, 1, 1, 1, 1, 477, 1, 494, 480, 1, 1, 1, 1, 1, 475, 1, 1, 1, 1, 1, 1, 1, 1, 1, 470, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 484, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 473, 1, 1, 1, 1, 1, 471, 1, 255, 495, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 12, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 501, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 12, 1, 70, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 505, 0, 505, 505, 505, 505, 505, 505, 505, 0, 505, 505, 505, 505, 505, 1, 505, 505, 505, 0, 505, 505, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 510, 509, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 514, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 507, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 508, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 516, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 505, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 513, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 506, 0, 0, 517, 512, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 511, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 505, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 506, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 505, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 515, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 527, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 235, 235, 1, 531, 1, 1, 1, 530, 1, 1, 1, 1, 1, 526, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 528, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 532, 1, 1, 529, 1, 1, 1, 1, 1, 1, 1, 1, 407, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 533, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 544, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 12, 1, 547, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 12, 12, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 62, 1, 1, 12, 12, 12, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 566, 1, 1, 1, 1, 1, 1, 1, 567, 1, 1, 1, 1, 1, 1, 1, 565, 1, 1, 1, 12, 1, 1, 569, 274, 1, 1, 1, 12, 12, 1, 1, 12, 1, 12, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 573, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 579, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 138, 1, 12, 584, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 113, 1, 1, 1, 12, 1, 1, 1, 1, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 589, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 150, 1, 1, 1, 263, 1, 1, 12, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 614, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 255, 1, 363, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 619, 1, 1, 1, 1, 0, 621, 0, 85, 0, 620, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 12, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 628, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 623, 623, 0, 627, 625, 623, 623, 623, 623, 623, 629, 623, 623, 633, 623, 623, 623, 623, 623, 623, 623, 623, 623, 623, 630, 627, 623, 623, 627, 623, 623, 623, 623, 623, 623, 623, 623, 623, 623, 623, 623, 623, 625, 623, 623, 623, 623, 623, 631, 623, 623, 623, 623, 623, 623, 0, 0, 0, 1, 632, 1, 1, 1, 1, 626, 1, 1, 1, 1, 1, 624, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 12, 637, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 12, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 12, 1, 1, 12, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 102, 67, 316, 342, 447, 575, 0, 4, 71, 271, 290, 318, 343, 369, 423, 449, 0, 538, 559, 576, 639, 9, 0, 63, 94, 433, 445, 465, 617, 0, 536, 558, 572, 654, 0, 33, 6, 0, 500, 539, 644, 602, 73, 0, 7, 321, 291, 424, 502, 452, 578, 85, 640, 0, 618, 345, 454, 504, 9, 111, 324, 545, 6, 33, 0, 347, 85, 426, 85, 522, 10, 6, 137, 284, 310, 0, 655, 549, 0, 605, 0, 66, 6, 6, 287, 101, 2, 468, 434, 446, 638, 0, 6, 0, 6, 322, 109, 6, 603, 540, 580, 0, 503, 425, 308, 323, 8, 74, 110, 641, 583, 427, 348, 335, 455, 152, 77, 326, 587, 550, 643, 606, 370, 365, 518, 6, 78, 155, 11, 311, 285, 562, 588, 607, 554, 592, 612, 653, 39, 6, 296, 330, 368, 340, 253, 33, 568, 595, 253, 44, 251, 301, 331, 341, 442, 459, 520, 309, 0, 76, 604, 0, 439, 453, 334, 85, 283, 85, 0, 622, 586, 543, 328, 457, 85, 428, 422, 0, 0, 0, 9, 597, 613, 252, 0, 460, 443, 571, 556, 615, 657, 91, 253, 45, 332, 431, 461, 611, 0, 551, 329, 312, 85, 250, 86, 30, 425, 33, 6, 429, 366, 339, 646, 634, 564, 591, 553, 0, 294, 87, 33, 441, 458, 0, 33, 462, 0, 254, 635, 557, 9, 444, 463, 253, 284, 92, 257, 636, 616, 599, 521, 464, 432, 286, 262, 93, 61, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 662, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 450, 0, 0, 0, 0, 0, 0, 0, 0, 88, 0, 135, 0, 0, 546, 590, 0, 0, 0, 0, 0, 0, 0, 29, 0, 593, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 450, 0, 0, 0, 0, 542, 0, 293, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 282, 0, 0, 0, 0, 0, 0, 0, 659, 0, 0, 0, 0, 0, 658, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 430, 0, 0, 0, 523, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 72, 0, 0, 0, 0, 0, 0, 534, 0, 0, 0, 0, 0, 0, 440, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 246, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 555, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 535, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 305, 317, 0, 0, 0, 0, 0, 570, 313, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 552, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 496, 0, 0, 0, 350, 0, 0, 0, 0, 80, 0, 289, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 0, 610, 0, 0, 0, 0, 642, 561, 0, 0, 0, 0, 280, 0, 0, 0, 0, 0, 0, 498, 0, 0, 519, 0, 0, 0, 0, 0, 64, 0, 0, 0, 303, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 81, 0, 0, 0, 0, 0, 0, 0, 282, 0, 0, 0, 0, 0, 315, 652, 0, 75, 0, 0, 0, 0, 0, 0, 0, 0, 0, 661, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 156, 0, 314, 0, 0, 0, 0, 0, 0, 609, 0, 0, 0, 0, 0, 0, 563, 0, 0, 0, 0, 0, 0, 0, 0, 0, 608, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 65, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 248, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, 0, 541, 0, 0, 0, 0, 0, 596, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, 89, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 525, 0, 524, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 295, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 497, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 325, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 577, 0, 0, 0, 0, 0, 0, 0, 0, 333, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 72, 272, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, 0, 648, 0, 0, 594, 0, 0, 0, 0, 0, 0, 0, 0, 0, 281, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 651, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 560, 0, 0, 0, 90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 537, 0, 656, 0, 0, 467, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 438, 0, 0, 0, 585, 0, 99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 34, 0, 0, 0, 0, 0, 0, 32, 98, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 327, 0, 0, 0, 249, 0, 0, 0, 0, 0, 0, 600, 0, 0, 0, 0, 136, 0, 0, 0, 0, 0, 601, 0, 0, 0, 0, 0, 0, 0, 450, 456, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 435, 0, 349, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 306, 0, 0, 337, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 574, 0, 0, 0, 451, 0, 0, 437, 0, 0, 0, 0, 0, 0, 645, 0, 0, 0, 581, 0, 0, 96, 0, 582, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 548, 499, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 31, 0, 0, 31, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 304, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 450, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 650, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 649, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 660, 0, 0, 0, 0, 0, 598, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 338, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 647, 0, 0, 247, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 665, 665, 665, 665, 665, 665, 665, 664, 666]);
var labelText = "orgmilcomschnetedugovdrrformsfeedbackofficialaccoorgmilschnetgovmagazinemediaunioncargopilotgroupcaarespressworksaerodromeworkinggroupair-traffic-controlaircraftaccident-preventioneducatormarketplaceambulanceinsurancecateringairportrepbodyenginesoftwaremodellingair-surveillanceconsultingchartertrainermaintenanceservicesdesignflightskydivingfreightassociationstudentgroundhandlingdgcafuelclubtaxicrewshowballooningexpresstraderbrokerauthoragentsairtrafficjournalistsafetyconsultantmicrolightaccident-investigationparachutingequipmentproductionfederationrecreationscientistnavigationengineertradingglidingleasingresearchpassenger-associationentertainmentparaglidinghangglidingaerobaticrotorcraftemergencycertificationgovernmentaeroclubexchangelogisticschampionshiphomebuiltcouncilconferencecontrolairlinecivilaviationjournalorgcomnetedugovcoorgcomnomnetobjofforgcomnetuwukiloappsframerorgmilcomnetedugovcoradioorgcomnetcommuneedogpbcoitgvorgedugov*spreviewfrontendrelayononstagingauthcloudsandboxupid*mtls*privatelinktypedreamdeveloperbravemochawindsurfaivenmirenupsunwnextbegetngrokclerkwale2bwebcsbrunputercrbtsflutterflowcloudzyrospawnbasesliplanemodelenceshiptodaymagicpatternsnetlifyondigitaloceanrailwayhostedclaudehasurabotdashretoolvercelgithubluyanigadgetreplitcloudflaretelebitedgecomputeevervaultexponyatnoopencrpplxzeaburwasmerframerzeropsrocketpreviewconvexmedusajsspritesagilevibesonherculeseasypanelstreamlitglideossnowflakemesserliloginlinehackclubcodepennorthflankbase44corespeedleapcellngrok-freeclerkstagelovableon-fleek*us-west-3ap-south-2us-central-2us-central-1eu-central-1ap-south-1us-west-2us-east-2eu-north-1ap-north-1us-west-1us-east-1*rcloudintsegorgmilcomgobbetnetintedugovturmusicasenasamutualcoopv6dnsip6uriurnin-addre164homeirisgovdixdaemoncloudnssthwien*inexexkunden4accogvormymyspreadshop4lima2ixortsinfofuturecmsfuturehosting12hpprivfuturemailinglima-cityfunkfeuer123webseitednshomemelmyspreadshopcloudletswasantqldvicactnswtascatholicwasaqldvictasidwasantozqldorgcomvicasnactnetedugovnswtasconfcomairflowlambda-urltransfer-webapptransfer-webappairflowtransfer-webapptransfer-webapp-fipstransfer-webappeu-west-3ap-south-2eu-south-2eu-central-2ap-southeast-3ap-southeast-4ap-northeast-3eu-central-1mx-central-1me-central-1ca-central-1il-central-1ap-northeast-1ap-southeast-1me-south-1af-south-1eu-south-1ap-south-1ap-southeast-7us-west-2eu-west-2ap-east-2us-east-2eu-north-1ap-southeast-2ap-northeast-2ap-southeast-5us-gov-west-1us-gov-east-1ap-southeast-6ca-west-1us-west-1eu-west-1us-east-1ap-east-1sa-east-1privatenotebookstudiolabelingnotebookstudionotebooknotebook-fipslabelingnotebookstudionotebook-fipsnotebookstudio-fipsnotebook-fipsnotebookstudionotebook-fipsnotebookstudioeu-west-3ap-south-2eu-south-2eu-central-2ap-southeast-3ap-southeast-4ap-northeast-3eu-central-1me-central-1ca-central-1il-central-1ap-northeast-1ap-southeast-1me-south-1af-south-1eu-south-1ap-south-1us-west-2eu-west-2us-east-2eu-north-1ap-southeast-2ap-northeast-2experimentsus-gov-west-1us-gov-east-1ca-west-1us-west-1eu-west-1us-east-1ap-east-1sa-east-1onrepostsagemakercopporgmilcompronetintedugovbiznameinfoshoprsorgmilcomnetedugovbrendlyresolvenzauscotvstoreorgcomnetedugovbizinfoidacaicoittvorgmilcomschnetedugovinfocloudezproxysiteacmymyspreadshopkuleuvenwebhostingtransurl123websitecloudnsinterhostsolutionsddns5476103298edgfacbmlonihkjutwvqpsryxzbarsycoororgcomedumyftpno-iporxcloud-ipfor-somemmafanfor-morewebhopselfipjozidyndnscloudnsdscloudfor-thefor-betteractivetrailcoeconorestooteorgcomeconeteduassurmoneyafricaarchitectesrestaurantloisirstourismavocatsinfoagrounivcoorgcomnetedugoviatvdeportesaludtksatorgmilcomwebgobnetinteducienciaboliviarevistacooperativaempresanombreindustriamusicapatriamedicinademocraciapoliticapuebloindigenaplurinacionalarteblogwikiinfoagrotransportenoticiasprofesionalacademiaeconomiaecologiamovimientotecnologianaturalpagesappsgroksailsimplesitecepesebamapadfmgalampbacscpirngorotomtrjspaprrprrsesmscepesebamapadfmgalampbacscpirngorotomtrjspaprrprrsesms*biaamfmtcmptvfeirasampajampanatalbelemananiradiog12medindfndbmdtrdthepoaggfjdfdefinfenflegsegongengcngorgzlgslglogppgmillelqslcimcomnomadmjabimbbibbsbabcrectecsjcetcpscpvhudieticriapipsiecnbiorioecogeoteoodoproatoartfstmatvetdetbetnetcntnotfotgrueduajuespappreptmpemparqsrvadvdevgovntrturagrjorfarjusmusdesvixxyzcozfozslzbhzmaringasantamariacampinagrandegoianiasorocabafloripasaobernardocuritibaboavistarecifeaparecidasaogoncasalvadorcuiabamorenamacapalondrinacontagemsocialfortalmaceioleilaoosascoriobranconiteroi9guacutcheblogflogvlogwikitaxicoopmanauspalmascaxiasjoinvillebaruericampinassantoandreribeiraoriopretoweorgcomnetedugovv0windsurfshiptodaycloudsitecoaccoorgnetgovofmilcomgovmediatechzacoorgcomnetedugsjgovmydnspenfnlabnbmbgcbcqconcontnuyksknsmyspreadshopno-ipawdevboxbarsyonidatemfuinabusavinstanceseceuguukussryzespawncsxcloud-ipmyphotosfantasyleaguetwmailcleverappsscrappingccwucloudnsftpaccessgame-serverccgovobjectsrmalpgcust*svcalp1aeappenginermalpgmyspreadshop4lima2ixsquare7cloudscale123websitefirenet12hpflowgotdnslinkyard-cloudcloudnslima-citydnskingobjectstorageedaccogoorusorgcomnetintedua\xE9roportxn--aroport-byaassogouvcomilgobgovcloudnses-1eu-west-1us-east-1euvipit1eurarubait1s3lbwebsites3websiteru-spbru-mskelasticcsrunstnukukcaukusnl-ams-1fr-par-1fr-par-2functionsnodess3ddlwhmrdbfnck8sifrs3-websitecockpitscblmgdbdtwhkafkpubprivs3ddlwhmrdbk8sifrs3-websitecockpitscblmgdbdtwhkafks3ddlrdbk8sifrs3-websitecockpitscblmgdbdtwhkafkk8sscalebookpl-wawfr-parnl-amsbaremetalsmartlabelinginstancesdechk2kuleuvenlaravelvoorloperurownoxazapscwhstgrvaporonline-serverobservablehqelementorantagonistreclaimjoteluluencowaydiademjelasticmatlabmagentositetrendhostingaxarnetjenv-arubajelejoteravendbemergenttrafficplexconvexkeliwebserveboltbegetcdnstaticson-rancherprimetelonstackitunison-servicesdnshomelinkyardbarsyjelecloudnscocomnetgovmycn-northwest-1cn-north-1s3s3-accesspoints3-websites3s3-accesspointrdsdualstacks3-deprecatedemrappui-prods3-websiteemrstudio-prods3-object-lambdaemrnotebooks-prodexecute-apis3s3-accesspoints3s3-accesspointrdsdualstackemrappui-prods3-websiteemrstudio-prods3-object-lambdaemrnotebooks-prodexecute-apicn-northwest-1cn-north-1cn-northwest-1ebcomputeelbcn-north-1airflowcn-northwest-1cn-north-1oncn-northwest-1cn-north-1amazonawssagemakeramazonwebservicesdirectasgdsdhehahljlnmhbacscahqhshhihnlnynsnmofjbjzjxjtjhkcqtwgsjssxnxjxgxxzgz\u7DB2\u7D61\u7F51\u7EDC\u516C\u53F8orgmilcomnetedugovxn--55qx5dcanva-appsxn--io0a7iquickconnectcanvasitekhsjxn--od0algcanva-codemyqnapcloudsrvrlessclustersrealtimestorageleadpagescarrdcrdorgmilcomnomnetedugovhidnssupabaserdpareplmypiumsoxmitotaplpagesfirewalledreplitowodevwebview-assetsvfswebview-assetss3s3-accesspointdualstackemrappui-prods3-websiteaws-cloud9emrstudio-prods3-object-lambdaemrnotebooks-prodexecute-apicloud9eu-west-3ap-south-2eu-south-2eu-central-2ap-southeast-3ap-southeast-4ap-northeast-3eu-central-1me-central-1ca-central-1il-central-1ap-northeast-1ap-southeast-1me-south-1af-south-1eu-south-1ap-south-1ap-southeast-7us-west-2eu-west-2us-east-2eu-north-1ap-southeast-2ap-northeast-2ap-southeast-5ca-west-1us-west-1eu-west-1us-east-1ap-east-1sa-east-1s3s3-accesspointdualstackemrappui-prods3-websiteaws-cloud9emrstudio-prods3-object-lambdaemrnotebooks-prodexecute-apicloud9consent-portals3s3-accesspointdualstackanalytics-gatewayemrappui-prods3-websiteaws-cloud9emrstudio-prodbedrock-agentcores3-object-lambdaemrnotebooks-prodexecute-apicloud9s3s3-accesspointdualstackemrappui-prods3-websiteemrstudio-prodbedrock-agentcores3-object-lambdaemrnotebooks-prodexecute-apis3s3-accesspointdualstackemrappui-prods3-websiteemrstudio-prods3-object-lambdaemrnotebooks-prodexecute-apis3s3-accesspointdualstacks3-deprecateds3-websitebedrock-agentcores3-object-lambdaexecute-apibedrock-agentcores3s3-accesspoints3-websites3-accesspoint-fipss3-fipss3s3-accesspointdualstackemrappui-prods3-websites3-accesspoint-fipsaws-cloud9s3-fipsemrstudio-prodbedrock-agentcores3-object-lambdaemrnotebooks-prodexecute-apicloud9s3s3-accesspointdualstackemrappui-prods3-websites3-accesspoint-fipss3-fipsemrstudio-prods3-object-lambdaemrnotebooks-prodexecute-apis3s3-accesspointdualstackemrappui-prods3-websiteaws-cloud9emrstudio-prodbedrock-agentcores3-object-lambdaemrnotebooks-prodexecute-apicloud9s3s3-accesspointdualstackemrappui-prods3-websiteaws-cloud9emrstudio-prodbedrock-agentcores3-object-lambdaemrnotebooks-prodexecute-apicloud9s3s3-accesspointdualstacks3-deprecatedanalytics-gatewayemrappui-prods3-websiteaws-cloud9emrstudio-prodbedrock-agentcores3-object-lambdaemrnotebooks-prodexecute-apicloud9vfss3s3-accesspointdualstackemrappui-prods3-websiteaws-cloud9emrstudio-prods3-object-lambdaemrnotebooks-prodexecute-apicloud9eu-west-3ap-south-2eu-central-2ap-southeast-3ap-southeast-4ap-northeast-3eu-central-1mx-central-1me-central-1ca-central-1il-central-1ap-northeast-1us-northeast-1ap-southeast-1me-south-1af-south-1ap-south-1ap-southeast-7us-west-2eu-west-2ap-east-2us-east-2ap-southeast-2ap-northeast-2ap-southeast-5us-gov-west-1us-gov-east-1ap-southeast-6ca-west-1us-west-1eu-west-1us-east-1ap-east-1sa-east-1mrapaccesspoints3s3-accesspointdualstacks3-deprecatedanalytics-gatewayemrappui-prods3-websites3-accesspoint-fipsaws-cloud9s3-fipsemrstudio-prodbedrock-agentcores3-object-lambdaemrnotebooks-prodexecute-apicloud9s3s3-accesspointdualstacks3-deprecatedanalytics-gatewayemrappui-prods3-websites3-accesspoint-fipsaws-cloud9s3-fipsemrstudio-prodbedrock-agentcores3-object-lambdaemrnotebooks-prodexecute-apicloud9s3s3-accesspointdualstackemrappui-prods3-websites3-accesspoint-fipss3-fipsemrstudio-prodbedrock-agentcores3-object-lambdaemrnotebooks-prodexecute-apis3eu-west-3ap-south-2eu-south-2computes3-ap-northeast-2elbrdss3-ap-east-1s3-sa-east-1s3-us-gov-west-1s3-eu-central-1s3-ca-central-1eu-central-2ap-southeast-3ap-southeast-4ap-northeast-3s3-website-us-west-2s3-website-eu-west-1s3-external-1eu-central-1me-central-1ca-central-1il-central-1s3-us-west-1s3-eu-west-1s3-website-sa-east-1s3-website-ap-southeast-2ap-northeast-1ap-southeast-1s3-us-west-2s3-eu-west-2me-south-1af-south-1eu-south-1ap-south-1ap-southeast-7us-west-2eu-west-2us-east-2s3-website-ap-southeast-1s3-1s3-globals3-ap-northeast-3eu-north-1airflowap-southeast-2s3-us-gov-east-1s3-fips-us-gov-east-1s3-me-south-1s3-ap-south-1ap-northeast-2s3-website-us-west-1ap-southeast-5s3-eu-north-1s3-ap-southeast-1s3-website-us-gov-west-1compute-1s3-eu-west-3us-gov-west-1s3-website-ap-northeast-1us-gov-east-1s3-fips-us-gov-west-1s3-website-us-east-1s3-ap-southeast-2ca-west-1us-west-1eu-west-1us-east-1ap-east-1sa-east-1s3-us-east-2s3-ap-northeast-1authauthauth-fipsauth-fipseu-west-3ap-south-2eu-south-2eu-central-2ap-southeast-3ap-southeast-4ap-northeast-3eu-central-1mx-central-1me-central-1ca-central-1il-central-1ap-northeast-1ap-southeast-1me-south-1af-south-1eu-south-1ap-south-1ap-southeast-7us-west-2eu-west-2ap-east-2us-east-2eu-north-1ap-southeast-2ap-northeast-2ap-southeast-5us-gov-west-1us-gov-east-1ap-southeast-6ca-west-1us-west-1eu-west-1us-east-1ap-east-1sa-east-1eu-west-3eu-south-2ap-southeast-3eu-central-1ca-central-1ap-northeast-1ap-southeast-1ap-south-1us-west-2eu-west-2us-east-2eu-north-1ap-southeast-2ap-northeast-2ap-southeast-5eu-west-1us-east-1ap-east-1sa-east-1csrframeservicesbuilderstg-builderdev-builder*ociocpocsazuregcpawsdemoinstanceeu-west-3ap-south-2eu-south-2eu-central-2ap-southeast-3ap-southeast-4ap-northeast-3eu-central-1me-central-1ca-central-1il-central-1ap-northeast-1ap-southeast-1me-south-1af-south-1eu-south-1ap-south-1ap-southeast-7us-west-2eu-west-2us-east-2eu-north-1ap-southeast-2ap-northeast-2ap-southeast-5us-gov-west-1us-gov-east-1ap-southeast-6ca-west-1us-west-1eu-west-1us-east-1ap-east-1sa-east-1previeweu-4us-4us-1eu-1us-2eu-2us-3eu-3appss3-websitekrkrobjectprivateobjectkrkrskrkrsobjectkrprivateobjectkr-privatecomputepaasrag-cloudrag-cloud-chjcloudjcloud-ver-jpcdemonodebalancermembersipeuxvsoncillaocelotonzayalilynxsphinxfentigercustomercaracalsgkrobjectstoragedesgkrusobjectkrkr-naverkr-naver-devkrprivatewebsiteobjectkr-naverkr-privatekr-naver-devjpjpkrjp4jp5s3-website-jpjpkrjp4jp5objectprivateobjecto365cloudstaticxendevapp001testcode-builder-stgplatformmediasiteprojedrydpagesjsx0desazacncoitrueu4uhkukgrbrushatenadiarymyspreadshopfrom-flfrom-wvwebspace-hosttheworkpchatenablogcursorusercontentservesarcasmapplinzisakuratanwixsitefin-ncloudstoragegov-ncloudstorageappchizigiizeis-into-carsdnsiskinkyadobeaemcloudis-a-therapistpgfogmyvncdojinis-an-actress1kappfldrvkozowqa2jpnmexprgmrfirewall-gatewaydynnscafjsfbsbxooguyfrom-gawoltlab-demois-a-anarchistwiardwebteaches-yogadattowebtb-hostinglive-websiteservegamegotpantheonfrom-nhsubsc-payfrom-ohvipsinaappfrom-cadyndns-officeztna-dingtalkhomelinuxfrom-mahercules-appservebbsstreakusercontentfrom-okfrom-wyfastly-terrariumis-a-llamaqualyhqportalserveexchangeon-vaporvivenushopciscofreakgrayjayleaguesmetaaiusercontentfrom-iais-a-libertariansaves-the-whalestaveusercontentyolasiteoperaunitepoint2thisis-a-catererclaudeusercontentlinodeusercontentfrom-vagithubusercontentsells-for-lesshosteurcanva-appsplaystation-cloudddnsfreefrom-pafrom-prfrom-waddnskingoutsystemscloudhotelwithflightmydattois-a-nascarfanmydbserverminiserverdamnserverservehumouris-a-playerfrom-nvfrom-nmemergentagentgentappsamplifyappfrom-kyis-an-accountantnfshostserveircfrom-akpythonanywherestackhero-networkpostman-echolikescandydyndns-mailobservableusercontentserveftpfreeboxosfrom-utcdn77-storageamazonawsneat-urlnclouddyndns-serverlinodeis-a-teacherfrom-vtgleezemythic-beastsus1-pleniteu1-plenitla1-plenitpaywhirlservecounterstrikejdevcloudhealth-carereformis-into-animegoogleapisis-a-painterafricaisa-hockeynutatmetais-an-actora2hostedis-a-democratdatadetectest-le-patrondigitaloceanspacesis-a-designeris-a-hunterlinodeobjectstemp-dnsissmarterthanyoufrom-arsimplesiteevennodetownnews-stagingis-a-liberalgooglecodejelasticservemp3qualyhqpartnerdyndns-free1cooldnsest-a-la-masiondrayddnsdynuddnsfrom-orfrom-miis-a-bloggerfrom-himydobisscanvacodeis-an-engineerest-a-la-maisonupsunappdevinappswafflecellmyasustorwpenginepoweredfrom-ctservep2psame-appmyshopblocksthingdustdatalikes-piediscordsezis-with-thebandlpusercontentis-leetshopitsite3utilitiesis-a-personaltrainersinaappladeskis-a-cheflogoipselfipbase44-sandboxnospamproxyalibabacloudcsmesswithdnsauthgearappsiamallamawithgooglelutrausercontentmochausercontentframercanvasmytabitdyndns-homew-credentialless-staticblitzcpserverdiscordsaysis-a-nurseappspotatlassian-isolated-3premotewdfrom-mtwixstudiocode0emm180rmyactivedirectoryawsappsmytuleapdnsabrpolyspaceqbuserrenderbuiltwithdarkboutirgotdnsabrdnsdopaascanva-hosted-embedawsglobalacceleratorhomesecuritypcmyiphostditchyouripclever-clouddyndns-ipon-aptibleis-a-musicianhosted-by-filessecuritytacticsappspaceusercontenthomeunixstrapiappsame-previewcf-ipfsmycloudnaselasticbeanstalkis-certifieddontexistkasserverik-serverdrive-platformatlassian-3pfirebaseappncpstorageherokuappawsapprunnerbarsycenteris-a-cubicle-slaveservehttpmyshopifyis-a-guruquicksytessiiitesorsitesmagicpatternsappis-a-cpameteorappfrom-wiis-a-rockstarbumbleshrimpdattolocaldatabricksappsreadthedocs-hostedfrom-rifamilydsdyndns-picsmyoxypagesplesknsbplaceddnsaliasdynaliasdyndns-remotedoomdnsip-ddnsblogdnsis-a-doctorroutingthecloudamazoncognitobarsyonlinedsmynasddnsgurucloudflare-ipfsdeus-canvasfrom-idsmushcdnpagespeedmobilizerdyndns-at-homeunusualpersonhosted-by-previderis-a-republicandyn-o-saurstreamlitappworkisboringonthewificprapidqualifioappis-uberleetis-slickgetmyipwpdevcloudtypeformdyndns-at-workgentlentapismynascloudw-corp-staticblitzfrom-ingeekgalaxyservebeerfrom-mdonrenderspace-to-rentaivencloudappspacehostedwafaicloudcodespotblogspotatlassian-3p-us-gov-modfrom-ndfrom-msis-a-techieis-a-studentcustomer-ociis-a-photographerdurumisfrom-ksmassivegriddyndns-wikiis-an-entertaineris-a-hard-workermysecuritycamerafrom-mnrackmazedyndns-blogis-a-bulls-fanwritesthisblogfreemyipsimple-urlfrom-sdninjaneer-sitesreservdauthgear-stagingest-mon-blogueuris-into-gamesrice-labsxtooldevicesakurawebis-an-anarchistoraclecloudappsdyndns-worksells-for-urhcloudfrom-dcfastvps-serverwpmucdnis-a-geekscrysecfrom-txis-into-cartoonsmodelscapetrycloudflarelocaltonetstreak-linkbalena-devicesfrom-njforgeblocksfreebox-oswebadorsitefrom-ncdoesntexisthobby-sitestreaklinkshomesecuritymacownprovidertuleap-partnersdattorelaywphostedmailservequakeis-a-socialistservehalflifepivohostingdynuhostingquipelementsw-staticblitzdyndns-webfrom-deproject-studyis-not-certifiedhercules-devis-a-financialadvisoramazonlightsailservepicsis-a-greenloseyouripfrom-ilwithyoutubemwcloudnonprodwiredbladehostingdnsdojofrom-tnpixolinomyqnapcloudncloudstorageis-an-artisthostedpiis-a-landscaperauiusercontentoaiusercontenton-forgeis-a-conservativedreamhostersnet-freaksapps-1and1is-goneencoreapifastly-edgefrom-nesalesforcefrom-scdeployagentoraclegovcloudappsfrom-alis-a-lawyercechirevultrobjectsstufftoreadisa-geekddnsgeeklovableprojecttry-snowplowfrom-moblogsyteis-a-bookkeepernogmyforumravendbmyboxdeelementoredsaacficogoorinforgcomgobnatneteduidstoreorgcomnetintedudevnomepublorgcomneteduathgovtestscalculatorspaynowinfoquizzesresearchedcloudnsfunnelsassessmentsjscaleforcetmacltdorgmilcompronetgovbizpresseklogesrsccloudcustomfltusrcloude4corealmgovmunicontentproxy9metacentrumdyndyndyndnsdynpagespages-researchitionoccustomercomymyspreadshopipv64diskussionsbereich4limacomrubgov2ixfirewall-gatewayddnssspdnsbarsykeymachinesquare7myhome-serverspeedpartnercommunity-proschuldockxenonconnectg\xFCnstigliefernbwcloud-os-instancedyndnssecmy-routerxn--gnstigliefern-wobin-butterl-o-g-i-nisteingeekin-dslin-berlinin-brbfuettertdasnetzleitungsenin-vpnlcube-serverdyn-ip24logoipdyn-berlinruhr-uni-bochum12hpgoipsrvdnsfruskygit-repossvn-reposinternet-dnsg\xFCnstigbestellenhome-webserverxn--gnstigbestellen-zvbbplacedheimdnscosidnswebspaceconfiglima-citydyndns1istmeinvirtualuserschulplattformmy-gatewayddnsseclebtimnetztest-iservmein-iservvirtual-userhome64iservschuletaifun-dnstraeumtgeradeschulserverdynamisches-dns123webseitednshomehs-heilbronndnsupdaterbssgraphicdwadpdwdaepeweaawapaafpfwfabwbpbacwcpcciwebuserapiobjectssites*teamst3r2lpabymebravepanelngrokiservstglclcrmerpflypagesbarsyvivenushoplocalcertlocalplayerbearbloggatewaydeno-stagingis-not-ais-a-goodbotdashvercelmocha-sandboxplatter-appreplitgithubpreviewworkersinbrowserevervaultis-ahrsndenoxmitmodxmyaddrstorageapipayloadgrebedocruncontainersreliantlabsstgstagelclstageloginlineis-a-fullstackcodepenreliantpreviewleapcellngrok-freeis-coolpagelemonstoragewebharemediatechlibp2pdiscoursecomyspreadshopstoreregbiz123hjemmesidefirmcoorgcomnetedugovsldorgmilcomwebgobartnetedugovtmorgpolcomsocartnetedugovassoagrondiscoodontk12medcuegyecpaabgengorgmilgalsaltulcomadmesmgobpubdocmonfindgnriouioproartlatvetnetfotedulojgovntrturibrbarxxxofficialbasechefprofmktgpsictechinfoarqtcontdentrrpppsiqgit-pagesritmedfieorgcomlibprieduaipgovriikmeactvsportorgmilcomscieunnetedugovnameinfopintouchtawktotawkmyspreadshoporgcomnomgobedu123miwebcomputeorgcomnetedugovbiznameinfocognito-idptransfer-webappeusc-de-east-1onjelasticnxaspdnsbarsydirectwpdeuxfleurstransurldogadoprvwcloudnsamazonwebservicesdnshomeuserpartycokoobinmkmspaceviewfidymyspreadshopalandkapsiikixn--hkkinen-5wacloudplatformh\xE4kkinen123kotisivuidacorgmilcompronetedugovbiznameinforadioorgcomneteduusercocomexperts-comptablestmmyspreadshopgretaprdcomnomynhccifbxoshuissier-justicenotairesaeroportfreeboxoson-webavocatassoportgouvkdnschirurgiens-dentistes-en-franceavouesfbx-os123sitewebveterinairechirurgiens-dentistespharmacienchambagrimedecinfreebox-osdediboxgoupilemszicpyicpvicppleysheezypagesedugovcnpyorgcomcybllcpvtnetedugovtnxonlineschoolddnsdaemond6atcopanelorgnetplybotdashstackitkaasorgmilcomnetedugovbizmodltdorgcomedugovcoorgcomneteduappwriteacorgcomnetedugovcloudtranslateusercontentorgcomnetedumobiassoorgcomnetedugovbarsysimplesiteindorgmilcomgobneteduorgcomwebnetedugovguaminfonxhra\u6559\u80B2\u654E\u80B2\u7DB2\u7D61\u7F51\u7D61\u7EC4\u7E54\u7D44\u7E54\u7F51\u7EDC\u7DB2\u7EDC\u7EC4\u7EC7\u7D44\u7EC7\u516C\u53F8\u653F\u5E9C\u500B\u4EBA\u4E2A\u4EBA\u7B87\u4EBAltdorgcomincneteduidvgovxn--uc0ay4axn--55qx5dxn--mk0axixn--io0a7ixn--uc0atvxn--zf0avxxn--lcvr32dxn--od0algxn--wcvs22dxn--gmqw5axn--od0aq3bxn--mxtq1mxn--ciqpnxn--tn0agxn--gmq050iorgmilcomgobnetedufngocdnappvoatiiservwp2tempurlmircloudfreesitewpmudevmyfastgadgetcloudaccessjeleambahalfboltfastvpsemergenteasypanelopencraftizcombrendlynamefromrtpersoadultmedorgpolrelcomproartnetedufirminfoassoshopcoopgouvtmcomediahotelforumvideosportorgsexagrargameslakaseroticaerotikatozsdereklamcasino2000filmsuliinfoboltshopprivnewsszexcityutazasjogaszkonyveloingatlaneacaicogoormy\u1B29\u1B2E\u1B36milwebschnetkopbizzonedesaponpesxn--9tfkymyspreadshopgovmytabittabitorderravpageaccok12idforgnetgovmuniltdplcaccotttvorgcomnetmeca6g5gpgamubacaicniocoukuptverdruscsdelhiindorgmilcomwebnicfingenpronetintedugovresbizbiharbarsyinternetbusinessschooltravelsupabasealumnigujaratfirminfoaeropostbankcoopindevscloudnsno-ipbarsybarrell-of-knowledgebarrel-of-knowledgensupdategroks-thisdnsupdatefor-ourknowsitalldvrcammittwalddynamic-dnsv-infowebhopselfipdyndnshere-for-moreilovecollegemayfirstforumzcloudnsmittwaldservertypo3servergroks-theeusekd1cdndyndnsidrawsainaueuapjpusstagemocksysdevicesclientcustreservdcustdevdisrecprodtestingcowzbeebyteutwenteboxfusebravepstmndedynngrokorgmilcomnomnetedugovqcxqzzbarsythingdustmo-siemensrb-hostingfh-muenstergitbookbluebitecloudbeesusercontentnodeartterramindkiloappsforgerockdarklangresinstagingapigeebubbleb-datascryptedhypernodedappnodepantheonsitegitlabgithubkeeneticvirtualservercleverappshostyhostingon-rioedugitticketstelebitwixstudioon-k3sicp0icp12038jeleqotolairbubbleappsmyaddrstolosmyrdbxwebflowdrive-platformbeagleboardhasura-applolipopdefinimavaporcloudmusicianwebflowtestazurecontainerresindevicereadthedocsloginlineeditorxmoonscalesandcatsbasicserverwebthingsbrowsersafetymarkbeebyteappbitbucketidaccovistablogorgschnetgovxn--mgba3a4f16axn--mgba3a4fraarvanedge\u0627\u064A\u0631\u0627\u0646\u0627\u06CC\u0631\u0627\u0646jclaspeziapdudcefegelemeperetevebacanatavaparasabgagfgogrgpgalclblimfmrmcbmbvbfclcmcvcrcpcchlimifibicivipirisimncnbnanenrnpntnnolomobocoaogorosopotoptvtatctbtmtltotpusulunutpspapaqsvpvvvtvavvrtrsrprgrfrcrbrarorkrvstsssbscsmsispzczbzbozen-suedtirolmyspreadshopxn--bulsan-sdtirol-nsbxn--valledaoste-ebbtrentinoaltoadigetrentin-sued-tirolxn--forlcesena-c8axn--forl-cesena-fcbxn--bozen-sdtirol-2obtriestetrentinsuedtiroltrentino-s-tirollecceudineaostesienaparmaluccapaviagenoapaduaaostamonzaabruzzoternirietiturinmilanbozenlaziofermoleccocuneonuoropratola-speziavdataaligfvgpugmolcalcamlomumbsicpmnvenvaoedugovabrsarmaremrbastoslazibxosfirenzetrentinos\xFCdtirolval-d-aostavalle-aostamessinacremonaravennatoscanatrentin-suedtirolbolognacalabriaurbinopesarofriuli-v-giuliaogliastraxn--valle-aoste-ebblaquilaandriatranibarlettasyncloudxn--valle-d-aoste-ehbaostavalleyvalled-aostatrentino-alto-adigevallee-d-aostexn--balsan-sdtirol-nsbpistoiasicilialucaniacataniaiserniaperugiabresciaveneziagorizialiguriaimperiabulsan-suedtirolbalsan-suedtirolbarlettatraniandriaxn--trentino-sdtirol-szbforl\xEC-cesenatuscanyvall\xE9e-d-aostemantovavall\xE9e-aostecasertapiemontevalleaostaval-daostafriulivgiuliatrevisoforli-cesenavall\xE9edaosteferrarapescaravald-aostatrentino-altoadigefriuli-vegiuliavallee-aostecarboniaiglesiastarantomediocampidanovalleedaostetrentinosud-tirolcampobassotrentins\xFCd-tiroltrentinos\xFCd-tirolmonzabrianzatrentino-s\xFCdtirolxn--trentino-sd-tirol-c3bpotenzacosenzavicenzaemiliaromagnavenicefrosinonemarchepordenonetrentinosued-tirolvaresemolisevall\xE9eaostefriuli-veneziagiuliabasilicatalatinaanconasavonaveronamodenabiellabolzano-altoadigepugliafoggiaumbriatrentino-stirolgenovapadovamateranovararagusapiacenzatrentinostirolvalleeaostetempio-olbiasudsardegnatrentinsudtirolmassa-carrarafriuliveneziagiuliatrentinosuedtirolandria-barletta-tranitrapanixn--cesenaforl-i8amaceratacaltanissettaascoli-picenobrindisicarraramassacagliaririmininapolivibo-valentiachietibulsan-sudtirolbalsan-sudtiroltrentino-a-adigebulsanbalsaniglesiascarboniamilanotorinoteramodell-ogliastraarezzotrentinoalto-adigerovigotrentovenetoiglesias-carboniatrentino-sud-tirolaltoadigereggio-emiliareggio-calabriasardegnatranibarlettaandriapiedmontxn--sdtirol-n2amedio-campidanotrentino-s\xFCd-tirolfriuli-vgiuliafriuli-ve-giuliaromeennaromapisa32-b16-b64-blodiastibarineencomonaplesforlicesenailiadboxosalessandriasicilytrani-barletta-andriaxn--trentin-sdtirol-7vbpesarourbinotrentinsued-tirolcesena-forliforl\xECcesenaemilia-romagnamonzaebrianzaxn--trentinsdtirol-nsbtrentinos-tiroltrentins\xFCdtirolvalledaostaolbia-tempiocampidanomediovibovalentiasassarivalle-daostalombardysud-sardegnafriulivegiuliareggioemiliamonzaedellabrianzaalto-adigevercellitrentin-sudtiroltraniandriabarlettatrentino-sudtirolascolipicenobozen-s\xFCdtirolfriulive-giuliaflorencexn--cesena-forl-mcbcarbonia-iglesiasaosta-valleycarrara-massadellogliastratrentinoa-adigexn--valleaoste-e7apesaro-urbinoxn--trentinosdtirol-7vbxn--trentin-sd-tirol-rzbxn--trentinsd-tirol-6vbtrani-andria-barlettatrentin-s\xFCd-tirolxn--trentinosd-tirol-rzbgrossetomonza-e-della-brianzas\xFCdtirolreggiocalabriatrentinoaadigetrentin-s\xFCdtirolverbano-cusio-ossolafriuliv-giuliaverbaniacampaniatrentino-aadigefriulivenezia-giuliasardiniaandriabarlettatranibarletta-trani-andriacatanzarooristanourbino-pesarocesena-forl\xECvalle-d-aostacampidano-medio123homepagesiracusatempioolbiasuedtirollombardiaavellinocesenaforl\xECtrentinofriuli-venezia-giuliabozen-sudtirolandria-trani-barlettabulsan-s\xFCdtirolbalsan-s\xFCdtirolmonza-brianzabolzanotrentino-sued-tirolbellunosalernolivornocrotonesondriodnshometrentinsud-tirolmassacarraratrentin-sud-tiroltrentino-suedtirolviterbobergamocesenaforliolbiatempiopalermobeneventoagrigentoofcoorgnetfmaitvphdengorgmilcomschnetedugovperagrikanieasukehandachitatokaiaisaikonanoharuamaobuhigashiuraowariasahiinuyamatobishimaiwakurashitarainazawatoyonegamagorimihamatoyotataharakariyayatomioguchikomakimiyoshinishiotokonamekiyosuchiryutoyohashiokazakiisshikikasugaikotakiratoeianjotogofusosetohazutsushimashinshirotakahamanisshinshikatsuhekinantoyokawaichinomiyatoyoakeodateogataakitaikawakyowahonjoogayurihonjonoshirokamiokakatagamimitanegojomeyokotekosakadaisenkazunonikahohonjyomoriyoshimisatohappoukamikoanihachirogatahigashinarusesembokufujisatokitaakitaitayanagiowanitakkomutsutsurutahirosakigonoheoirasetowadamisawanohejiaomorishingohiranairokunohehashikamitsugarushichinohehachinohenakadomarisannohekuroishisakaeisumiasahiotakiinzaiabikomatsudoyachiyomutsuzawakujukuriomigawakashiwatoganemihamanaritasakuranagaramobarahanamigawachoshishiroichoseikozakishisuikatorimidorichonankyonanfuttsuonjukufunabashinagareyamanodasosatakochuotohnoshourayasukimitsuyokaichibayotsukaidosodegauratateyamakamagayayokoshibahikariyachimatakatsuuratomisatokisarazukamogawaichikawanarashinoichinomiyashimofusaminamibososhirakoichiharaoamishirasatoikatahonaiainansaijoseiyoiyoozuuwajimaniihamanamikatamasakiuchikokihokutobetoonshikokuchuomatsuyamaimabarikamijimakumakogenyawatahamamatsunosabaeikedaobamasakaifukuiohionotsurugamihamawakasaminamiechizeneiheijikatsuyamatakahamaechizensoedaukihaomutaokawanishiogoribuzenonojosueumiokiotochikugosasagurisaigawamizumakishinyoshitomikurumekurateyamadakasuganakamamiyamanogatatakatahakataiizukakawaratagawakasuyaashiyainatsukimunakataminamitsuikishonaikurogifukuchikeisenhigashimiyakoshinguyukuhashiokagakiyamekogaongausuikahotohochuotoyotsumiyawakadazaifuhisayamatachiaraiyanagawanakagawahirokawachikujochikushinochikuhochikuzennamieotamaokumashowateneiiwakikoorinangoononishigoshimogoomotegomishimafukushimaasakawakagamiishishirakawaiitatefutabahiratayugawahanawakitakatakawamatakunimiyabukibandaihigashihironoyamatomiharuyamatsuriaizubangedatesomaaizuwakamatsuyanaizuaizumisatonishiaizuizumizakikitashiobarataishinkaneyamakoriyamainawashirotanagurafurudonosamegawasukagawaishikawatamakawaikedaogakitaruiginanenahashimahichisonakatsugawaibigawashirakawamizunamiminokamomitakekawauesekigaharatomikasakahogikitagatayamagatatajimianpachimotosuyaotsukakamigaharahidakanisekitokigujominogodoyorogifukasamatsutakayamawanouchihigashishirakawakasaharashimonitatsumagoichiyodakannakanrashowameiwakiryuotaoratomiokafujiokaitakuranaganoharahigashiagatsumatakasakishibukawaminakamikatashinatsukiyonokawabanumataannakaoizumimidorishintoisesakiuenoyoshiokakusatsutakayamanakanojonanmokutamamuratatebayashimaebashiotakekaitadaiwahongofuchukuietajimashobaramiharahatsukaichihigashihiroshimamiyoshikumanokurenakasakaseraseranishiasaminamifukuyamashinichionomichiosakikamijimajinsekikogentakeharaotobenanaeikedatohmaozoraobiraabirakyowaeniwataikibibaisharirebunerimohiroooketootarupippunishiokoppechitosefurubirahakodateshiranukakitahiroshimakushiroobihironanporoiwamizawaniikappukunneppufukushimanakasatsunaitoyourakuromatsunaiakabirakamisunagawashibechaurakawakamifuranonakatombetsuasahikawashimokawakayabeokoppebiratoriabashirisaromaatsumanumatahidakabifukamukawamikasahorokanaitoyotomisarufutsuhigashikawaishikarikitamiyoichiesashiiwanaitomariminamifuranoakkeshifuranotoyakoyakumootoineppushikaoishiraoinemuronayorohaboroashorobihororishirifujiutashinaihokutotakasuebetsuurausuassabukikonaishimamakinaiedatetoyabieinikiesanuryuoumuteshikagarikubetsuashibetsukimobetsuaibetsutobetsusobetsuembetsushimizuchippubetsurishirihokuryuhoronobeshintokutsubetsushibetsuhonbetsumombetsutsukigatakuriyamakoshimizushiriuchikutchanmurorannoboribetsukamishihorowassamushinshinotsukembuchiwakkanaikamoenaikiyosatotakinoueshikabesunagawafukagawanakagawatakikawakamikawahigashikagurahamatonbetsumatsumaemoseushirankoshishakotanimakanemashikeotofuketomakomaisandatambaitamiawajikasaiasagoshisoonoakoyashirotoyookaminamiawajiinagawafukusakitakasagokamigorikasugaharimayokawaashiyahimejiakashitaishiaogakisannantakinosumototakarazukanishinomiyashingugoshikinishiwakiyokatakaaioimikisayoyabukawanishiamagasakisasayamashinonsenkakogawaichikawakamikawatatsunotsukubaiwamaogawaasahisakaitokaioaraiitakobandodaigosuifuinaamikasumigaurakashimaomitamayachiyoshimodatetomobetoridehitachinakainashikisakuragawakasamayawaramoriyahitachiomiyanamegatayamagatahitachikamisuushikutakahagiibarakitonekoganakasowayukimihojosomitoryugasakishimotsumafujishirotsuchiurachikuseihitachiotashirosatotamatsukuriuchiharashikahakuinanaotsubatawajimakahokukawakitatsurugikaganominotosuzuuchinadakomatsuanamizunakanotohakusannonoichikanazawaiwateshiwafudaikawaimoriokaofunatohanamakikuzumakikitakamininohekunoheyamadayahabasumitaichinosekitanohatahiraizumirikuzentakatajobojiotsuchihironomiyakoiwaizumikarumaiichinohenodakujitonooshushizukuishifujisawamizusawakamaishikanegasakimannoutazukotohiraayagawazentsujihigashikagawauchinomikanonjisanukimarugamemitoyotakamatsutadotsunaoshimatonoshoakuneamamiizumihiokiyusuikinkoisasookouyamanakatanekagoshimakanoyaisenkawanabeminamitanemakurazakitarumizunishinoomotematsumotosatsumasendaioimatsudaayaseebinamiurazushinakaiodawaraiseharasagamiharahakoneaikawakaiseiatsugitsukuihadanoyamatoyamakitazamaoisochigasakininomiyayokosukakamakuraminamiashigarafujisawasamukawakiyokawahiratsukayugawaraokawaumajikochitsunootoyoakiinonishitosayasudahidakamiharasakawaniyodogawahigashitsunokagamigeiseisusakiotsukinaharisukumomurototosakamiochitoyotosashimizumotoyamanankokunakamurakitagawayusuharaogunichoyoukiasoutoozugyokutoamakusamifunetakamoriyamagaminamataminamiogunikikuchisumotoyamatonagasumashikiaraokumamotokamiamakusanishiharayatsushiroayabeseikasakyoideineujinakagyokameokakyotangokyotanabekyotambaminamiyamashiroyamashinatanabeyawatawazukaminaminantanmiyazuhigashiyamafukuchiyamakitamukokamojoyokizumaizuruujitawaraoyamazakinagaokakyokumiyamakawagoeinabeshimameiwaasahitaikiudonoisetsukisosakikuwanamihamamiyamasuzukatamakimisuginabarikumanokomonominamiisewataraitobakiwatakikihotadomatsusakayokkaichikameyamaureshinoishinomakishichikashukuohirataiwaosakizaohigashimatsushimashikamaiwanumashibataogawaraonagawakawasakiseminemarumoriminamisanrikukakudamuratawakuyatomiyanatoriwataritagajomisatotomekamirifushiroishimatsushimayamamotoshiogamafurukawahyugaebinotsunosaitoayakushimanobeokakitauramiyazakitakazakigokaseshiibamimatashintomikunitomikitakatakobayashikawaminamitakaharukijotakanabemiyakonojonishimeranichinankitagawakadogawamorotsukakisofukushimaminamimakisakaeobuseikedaogawamiasaokayaasahiotakiotarichinoinaomichikumakomaganechikuhokukaruizawayasuokaooshikaikusakaminamiaikitogakushimatsukawakawakamitateshinatakamorikitaaikishiojirimiyadahakubaiizunaiijimaiiyamamiyotasuzakayasakatoguraookuwanagawaminowahirayayamagataminamiminowafujimiomachisakakitakaginaganonakanosakuhokomoronagisoshinanomachiwadauedaiidaharasuwatomiachiaokianankisosakunozawaonsenagematsutakayamashimosuwamatsumotoyamanouchinakagawamochizukiazuminotatsunoobamaomuraseihiunzenosetofutsuikichijiwanagasakiisahayahasamisaikaikawatanasasebohiradokuchinotsugototogitsutsushimashimabarashinkamigotomatsuurayamazoekashibaikomakawaitenrioyodosangokoryoudaojiikarugayamatokoriyamatenkawakatsuragikurotakikawakamimiyakemitsuetakatorikamikitayamayamatotakadahegurishinjokanmakisakuraitawaramotogoseoudanarasoniandokawanishishimoichihigashiyoshinokashiharashimokitayamanosegawayoshinomintsivorytopazsakuragehirnsumomoaseinetopalmail-boxmokurenyoitamuikaojiyagosensanjoaganomyokoseiroagaomishibataniigatanagaokamurakamiuonumayuzawakariwatagamitainaitsunanminamiuonumatochioyahikojoetsuseiroukamosadoizumozakitokamachiitoigawasekikawakashiwazakitsubamemitsukekokonoesaikiusukibeppuusahimeshimakunisakihasamataketatsukumihitaoitahijikusuyufukujukamitsuebungoonobungotakadaibaraniimibizentsuyamaokayamakasaokahayashimayakagemaniwaakaiwamisakishinjotamanotakahashikibichuowakesojanagishookumenannishiawakurakurashikiasakuchisetouchikagaminosatoshotomigusukunakagusukuyaeseizenaurumaiheyaaguniogiminanjokinminamidaitokitanakagusukuyonaguniokinawaishigakikunigamiurasoekadenataramahiraraginozataketomishimojizamamitonakiitomanhigashimotobuyonabarugushikamionnanahanagohaebarukumejimakitadaitonakijinnishiharayomitanginowantokashikiishikawaikedasuitaminohizuminishisakaikananabenodaitoosakasayamayaokishiwadatadaokakaizukatondabayashichihayaakasakakumatorikadomasayamahigashiosakashijonawatehirakatataishimisakitajirihannansennankatanotoyonominatosettsuhigashiyodogawaibarakinosekitachuohigashisumiyoshifujiiderakashiwaraizumiotsutoyonakamatsubaramoriguchiizumisanoshimamototakatsukineyagawahabikinotakaishikawachinaganoyoshinogarikamiminearitaouchiimarihizenogikashimaariakekiyamafukudomikitagatakitahataomachigenkaikanzakinishiaritakyuragisagataratosutakushiroishikaratsuhamatamakouhokukawagoeyoshidasatteogoseirumaasakaurawaogawaniizaomiyayoriiotakishikihonjooganohannohanyuinasaitamaokegawaarakawayoshikawayokozehasudasayamahidakafukayachichibuiwatsukiryokamiyoshimikamiizumifujimiwarabiranzanmiyoshiminanoyashiosakadosugitomisatohigashichichibutodasokakukiyonokazoshiraokakasukabekounosukawajimatsurugashimamiyashirokitamotohatoyamamoroyamahatogayakumagayakawaguchinagatorokamisatomatsubushinamegawatokigawakamikawafujiminohigashimatsuyamakoshigayatokorozawas3isk01isk02ryuohkoseikonanaishorittotakashimamaibarahikonetorahimenishiazaikokagamokotoyasuotsukusatsunagahamamoriyamatoyosatotakatsukinotogawaomihachimanhigashiomiakagiunnanizumogotsuamayatsukakakinokimatsuehamadamasudahikawahikimiokuizumoyasugiyakumomisatotamayuohdahigashiizumookinoshimanishinoshimatsuwanoshimaneshimadafujiedayoshidashimodagotembaiwataatamikosaiyaizuitoizumishimahaibaramakinoharaomaezakikawanehonkannamisusonohigashiizufukuroinumazukawazufujiaraishizuokahamamatsushimizuizunokunimatsuzakimorimachiminamiizunishiizukikugawakakegawafujikawafujinomiyaujiietsugaoyamayaitaohiranikkoashikagakuroisokanumasakurashioyakarasuyamamotegiichikaikaminokawatochigihagamokanogisanobatonasumibunasushiobaranishikatautsunomiyaiwafunemashikoshimotsukeohtawaratakanezawaitanokomatsushimatokushimaichibaminamiaizumiwajikikainanmiyoshinarutomimamugiananmatsushigesanagochishishikuinakagawamachidachiyodakomaefussainagitaitochofufuchuomeotahigashiyamatotoshimaokutamaaogashimakodairaedogawaarakawahachiojishinagawatachikawashibuyasuginamihinodekiyosesumidaoshimanerimamitakahamuraadachinakanomizuhobunkyomegurominatokoganeihigashikurumekokubunjihigashimurayamamusashimurayamatamakitahinochuokotokatsushikakouzushimaogasawaraakishimakunitachishinjukusetagayamusashinohachijoitabashiakirunohinoharachizunanbukotouramisasawakasayonagokogehinoyazutottorinichinansakaiminatokawaharaoyabetairainamiasahinantoimizufuchutakaokakurobeyamadajohanatoyamatonaminyuzenfunahashinakaniikawanamerikawaunazukitogahimiuozufukumitsutateyamakamiichiiwadearidayuasainamitaijikatsuragiaridagawatanabemihamahidakakainankiminomisatoshingushirahamakamitondayurakozakoyagobokitayamawakayamakudoyamahashimotokushimotokozagawahirogawakinokawanachikatsuurarsuseroeoishidasagaeoguniasahinagaitendonanyoobanazawanishikawasakataohkuratozawamikawamamurogawayamagatafunagatatakahatashonaishinjokahokuiideyuzakawanishitsuruokakaminoyamayamanobeshiratakamurayamanakayamakaneyamahigashineyonezawasakegawamitouubeyuuabushimonosekitabuseoshimatoyotaiwakunihikarishunannagatohagihofukudamatsutokuyamashowadoshitsurunanbukoshukaiminami-alpsnirasakikosugeotsukioshinohokutominobuyamanashifuefukichuokofuichikawamisatoyamanakakonakamichitabayamanishikatsuranarusawafujikawahayakawafujiyoshidafujikawaguchikouenohara\u9577\u91CE\u4EAC\u90FD\u5C90\u961C\u5927\u962A\u4E09\u91CD\u7FA4\u99AC\u5343\u8449\u6ECB\u8CC0\u4F50\u8CC0\u5948\u826Fadednelgaccogogror\u79CB\u7530\u611B\u77E5\u9AD8\u77E5\u57FC\u7389\u6C96\u7E04\u6803\u6728\u718A\u672C\u5CA9\u624B\u9752\u68EE\u5C71\u68A8\u65B0\u6F5F\u5CF6\u6839\u9CE5\u53D6\u9577\u5D0E\u9999\u5DDD\u5BAE\u57CE\u77F3\u5DDD\u5927\u5206\u5BAE\u5D0E\u8328\u57CE\u5C71\u53E3\u5175\u5EAB\u5C71\u5F62\u5FB3\u5CF6\u5E83\u5CF6\u798F\u5CF6\u798F\u5CA1\u5CA1\u5C71\u5BCC\u5C71\u9759\u5CA1\u611B\u5A9B\u798F\u4E95\u6771\u4EACxn--4it168dhatenadiaryxn--vgu402ckawaiishophatenablogcocottenamaste\u5317\u6D77\u9053penneehimeiwateversestabachibashigagonnagunmapermahaccaakitaosakauh-ohblushkochiaichifukuikuroncapooitigohyogotokyokyotopunyuthickcheap0t00g00j0mie2-ddaapyawjg0amfemsubxiiboomoobutchueekpgwrgrherskrboyrdyupperunderflierchipsmydnsheavyangryhippygirlyrulez\u795E\u5948\u5DDD\u9E7F\u5150\u5CF6\u548C\u6B4C\u5C71bambinaxn--nit225kokayamasaitamaxn--k7yn95exn--1lqs03nsapporoparasitelolipopmcxn--efvn9sniigatafukuokatokushimafukushimahiroshimakagoshimafakefurokinawaxn--8pvr4ucoolblogxn--0trq7p7nnkawasakinagasakimiyazakichilloutxn--8ltr62kxn--klty5xpeeweezombiecutegirlxn--rny31hxn--uuwu58axn--ntso0iqx3axn--djrs72d6uytoyamanikitanyantakagawamimozanagoyaboyfriendxn--2m4a15egreaterchowderegoismyamagatafashionstorexn--elqq16hxn--pssu33lsendaimiyagixn--rht27zpecoriaomorisaloonwatsonvivianxn--djty4knobushipigboatnaganopinokoxn--f6qx53asadistvelvetsecretxn--5js045dchicappayamanashiibarakidigickgirlfriendxn--1lqs71dmongolianxn--c3s14mxn--qqqt11mtochigixn--5rtq34kparallelo0o0mondkobesagabonadecaoitanarafoolkilldecimainhiholomosblokilociaoundopupugifutankcrapflopnooroopsmodsholyjeezstripperpepperbittershizuokaxn--rht3dkitakyushureadymadeicurusversusmatrixxn--rht61ehungryfloppygloomycrankyhandcraftedlittlestarxn--klt787dxn--kltx9awhitesnowsunnydaytottorilovepoptheshopbuyshopxn--5rtp49cxn--d5qv7z876cwebaccelxn--kbrq7oxn--4pvxsxn--1ctwolovesickkumamotocatfoodxn--tor131oyokohamawakayamatonkotsuxn--ehqz56nxn--uist22hxn--6btw5axn--kltp7dyamaguchifrenchkisspussycatxn--4it797kxn--uisz3gbabybluexn--zbx025dnetgamersxn--7t0a264ckanagawaxn--6orx2rishikawaxn--ntsq17ghalfmoonschoolbusjellybeanxn--mkru45iusercontentlolitapunkxn--32vp30hsakurastoragehokkaidoshimanecandypopbabymilksupersaleweblikeraindropbackdropwebsozaikikirarahateblodaynightmeneacsccogoormobiinfoaeusxxorgmilcomnetedugovorgcomnetedugovbizinfotmprdorgmilcomnomedugovassnotairespresseassocoopgouvveterinairemedecinpharmaciensorgnetedugovtraorgcomedurepgovmeneperekgacscaiiocogoitoresmshsseoulbusanulsandaeguc01milvkimmvchungnamjeonnamjeonbukeliv-dnsgyeonggijejueliv-cdnincheondaejeongangwongyeongbukgwangjuchungbukgyeongnameliv-apicoeduindorgcomembnetedugovorgmilcomnetedugovjcloudorgcomnetintedugovperbnrinfocooyorgcomnetedugovethipfscanvamypepethw3sstorachakeeneticjoinmcinbrowserdwebcyonnftstoragemyfritzaemewphlxachotelltdorgcomwebsocschngonetintedugrpgovassnomgacsccoorgnetedugovbizinfo123websiteidorgmilcomasnnetedugovconfidmedorgcomplcschnetedugovaccoorgnetgovpresstmassoirseproxaccosoundcasthoptocraftvp4c66orgnetedugovitsxwxmcdirmyboxbarsyedgestacksynologylogintoopencloudnohostwebhopdiskstationi234tcp4hoocgroknoipprivmydsddnsdnsforlohmustransipdscloudfilegear-sgbrasiliafilegearframerbarsybarsyonlinecoprdorgmilcomnomedugovinforgcomnetedugovnameacprorgcomartnetedugovpresseinfoassoinstgouvorgnycedugovbarsydscloudjuorgcomnetedugovminisiteaccoororgcomnetgovorgmilcompronetintedugovbizmuseumnameinfoaerocoopaccoorgcomnetintedugovbizcooporgcomgobneteduorgmilcomnetedugovbiznameaccoorgmilneteduadvgovcoorgcomnetaltgovforgotherhiskeeneticispmanagernomassoprod5476132eastasiacentraluswesteuropewestus2eastus2pnortheurope-01newzealandnorth-01southindia-01southcentralus2-01norwaywest-01eastus2-01westus2-01australiaeast-01italynorth-01israelnorthwest-01swedencentral-01westeurope-01centraluseuap-01taiwannorthwest-01uaecentral-01northcentralusstage-01israelcentral-01mexicocentral-01canadacentral-01austriaeast-01germanywestcentral-01francecentral-01ukwest-01denmarkeast-01polandcentral-01eastus-01westus-01swedensouth-01eastus3-01westus3-01brazilsouth-01centralus-01francesouth-01australiacentral-01westindia-01uaenorth-01jioindiacentral-01canadaeast-01belgiumcentral-01spaincentral-01koreacentral-01chilecentral-01qatarcentral-01westcentralus-01eastus2euap-01norwayeast-01southafricanorth-01brazilsoutheast-01germanynorth-01switzerlandnorth-01switzerlandwest-01japanwest-01southafricawest-01japaneast-01eastasia-01indiasouthcentral-01taiwannorth-01centralindia-01uksouth-01southcentralus-01northcentralus-01eastasiastage-01indonesiacentral-01australiacentral2-01australiasoutheast-01malaysiawest-01koreasouth-01southeastasia-01southeastus5-01northeastus5-01jioindiawest-01rucdnwest1-usfra1-desandboxjls-sto1jls-sto3jls-sto2aglobalabglobalsslmapprodfreetlsmapvpslon-1lon-2ny-1fr-1sg-1ny-2paassnwebpaashostingjelasticnordeste-idcsocuserpagescwebfileblobservicebuscoreatlricnjsjelasticwebsitestoragesezagbinruhuukjptsmyspreadshopmynetnameakamaiorigin-stagingfrom-coipv64dynv6cdn77serveblogadobeaemcloudhicamsprytdnsupno-ipownipde5ovhicpfirewall-gatewaysytesmypsxbarsyusgovcloudapimyamazemyradwebakamaihdsaveincloudfastlylbfrom-lasubsc-paysquare7in-the-bandblackbaudcdnhomelinuxoninfernoctfcloudservebbsdns-dynamiccloudfrontakamai-stagingipifonyham-radio-opsenseeringclickrisingcommunity-profrom-nylocalcertgrafana-devedgesuite-stagingcloudflareanycasteating-organicatlassian-devmydattofeste-iplocaltotorprojectknx-serveredgekeycloudflareglobalcloudyclustercasacamserveftpakamaized-stagingakamaiorigindns-cloudmyeffectboomlabotdashbuyshousestwmailhetemlazure-mobilein-dslthruhereredirectmedynuddnsbouncemesupabaseluyanicloudappakamaicloudfunctionsdebiannhlfanpgafanstatic-accessin-vpnmysynologymafeloappudohomeftptrafficmanagersiteleafseidatmemsetcloudflarecloudaccesskeyword-onazure-apiis-a-chefdoes-itgets-itwebhopselfiphomeipkicks-assedgesuitewindowsserver-ontunnelmolemydissentscrapper-sitecloudflarecnuni5srcfggffiobbzabchrsndenodynuopikddnsvpndnsakadnselastxkinghostvps-hostfastlyhomeunixazureedgeshopselectdontexistmyfritzcloudjiffyalwaysdatasells-itsquaresbroke-itazurefddattolocalat-band-campmeinforumfamilydsazurestaticappsdefinimabplaceddnsaliasdynaliasnow-dnsblogdnsroutingthecloudendofinternetdsmynasakamaiedgemymediapcadobeio-staticakamaiedge-stagingakamaihd-stagingddns-ipprivatizehealthinsurancelive-onkrellianschokokeksmassivegridmysecuritycamerarackmazeserveminecraftfrom-azis-a-geekakamaizedmoonscaleoffice-on-theusgovtrafficmanageradobeioruntimeedgekey-stagingreserve-onlinechannelsdvrdnsdojousgovcloudappcdn77-sslapps-1and1podzoneazurewebsitesdynathomescaleforceyandexcloudvusercontentisa-geekcdn-edgescoaemalcesappwriteazimuthtlonarvobuiltwithrocketnoticeablestorecomwebrecnetperotherfirminfoartslgdloncogoiltdorgmilcolcomplcschgenngonetedugovbiznamefirmmobiacincoorgmilcomnomwebgobnetintedubizinfocomyspreadshopdemongovtransurl123websitehosting-clusterkhplaycistrongsnesosvalerv\xE5lerxn--vler-qoaossandeheroysandeher\xF8yb\xF8boheroyher\xF8yxn--hery-iraxn--b-5gavalerb\xF8boxn--b-5gasandesandexn--hery-iraxn--vler-qoav\xE5lerh\xE5re\xE5laahavaofsfvfhlolnlalrlhmfmtmahcostntbu\xE5strmreigersundmyspreadshopg\xE1ls\xE1eidsvolltingvollgildeskalflor\xF8vads\xF8vard\xF8vanylvenxn--bhccavuotna-k7astrandaxn--kvnangen-k0axn--sknland-fxaxn--mosjen-eyarakkestadhyllestadnannestadvevelstadvaapstenordre-landsondre-lands\xF8ndre-landtjieltexn--vrggt-xqads\xF8r-aurdalsor-aurdalheradstordmoldefordef\xF8rdeseljefedjeryggehemnexn--krehamn-dxasognegranes\xF8gnebrynetjomevallebykletokkegiskedovretj\xF8mehob\xF8lvoldasaudatolgas\xF8mnaviknad\xF8nnasomnadonnatranafrananesnaraumasmolatr\xE6nafr\xE6nalesjasm\xF8la\xF8rstaorstahitrafloraaukraloppafr\xF8yarissasnasahalsagalsaromsaraisar\xE1isafroyasn\xE5sagronghobolfjelltydal\xE5rdalardalaskimharamkraanghkekr\xE5anghkesorumbarumhurumb\xE6rums\xF8rummodums\xE1l\xE1tb\xE1l\xE1tfrognbjugnv\xE5ganvagangulenskienl\xF8tenlotenstrynvefsnxn--merker-kuaskaunsveiob\xF8mlobomloskj\xE5kvardoflorovadsosalatbalats\xE1latkl\xE6buklabuselbubarduulvikskjakkleppris\xF8rxn--nttery-byaefl\xE5eidflahofmilgolholsellomskifetvikdepvgsfhsaskerrisorhamarasnes\xE5snesr\xF8rosrorosxn--slat-5namasoynaroyvaroyluroydyroyaskoyradoyandoyrodoymeloyrad\xF8yand\xF8yr\xF8d\xF8ymel\xF8yask\xF8ylur\xF8ydyr\xF8ym\xE5s\xF8yv\xE6r\xF8yn\xE6r\xF8yhoylandeth\xF8ylandetdivtasvuodnal\xF8renskoglorenskognesoddtangenxn--tjme-hraxn--smla-hraxn--stjrdal-s1aunjargalillehammerunj\xE1rgaxn--hamary-fyadavvenjargaxn--bearalvhki-y4a123hjemmesidegjerdrumxn--brnnysund-m8acxn--tnsberg-q1axn--mlatvuopmi-s4axn--snsa-roaxn--skierv-utaxn--brum-voatysfjordkvafjordeidfjordkv\xE6fjordsongdalenmjondalenmj\xF8ndalenxn--gls-elackragerog\xE1\u014Bgaviikagangaviikas\xF8rreisasorreisas\xF8r-varangersor-varangerxn--risr-iraskiervaxn--frna-woaxn--trna-woakvinesdalleksvikleirvikr\xF8yrvikroyrviksvelvikvenneslaevje-og-hornnessandnessj\xF8enmarnardalvindafjordsandefjordenebakksnillfjordullensvangxn--trany-yuabr\xF8nn\xF8ysundnamsskoganaustevollxn--stjrdalshalsen-sqbnord-aurdalnord-frontr\xF8gstadtrogstadgrimstadflakstadgjerstadxn--sandy-yuaxn--leagaviika-52bnore-og-uvdalvegarsheixn--rlingen-mxaxn--ggaviika-8ya47hveg\xE5rsheikarlsoykvitsoymasfjordenhamaroyinderoyosteroydavvenj\xE1rgasauheradguovdageaidnuxn--vre-eiker-k8abronnoysiellakkr\xF8dsheradkrodsheradkvinnheradbr\xF8nn\xF8yxn--mtta-vrjjat-k7afxn--lrenskog-54akvits\xF8yv\xE1rgg\xE1tkarls\xF8yoster\xF8yinder\xF8yhamar\xF8ybronnoysundxn--aurskog-hland-jnbbahccavuotnab\xE1hccavuotnagiehtavuoatnastor-elvdalmidtre-gauldalxn--gildeskl-g0akarasjokevenassixn--bievt-0qaxn--yer-znalebesbynessebyxn--hbmer-xqamalselvm\xE5lselvxn--unjrga-rtam\xF8re-og-romsdalmore-og-romsdalhareidmeland\xF8rlandorlandstrand\xE5lg\xE5rdsolundalgardafjord\xE5fjorddielddanuorrikautokeinoxn--stre-toten-zcbskodjeaejriestangeliernebamblestokkefauskesn\xE5asesnaasekongsvingerlangevagberlevagxn--flor-jrahattfjelldalostre-toten\xF8stre-totenvestfoldxn--mely-ira\xE1laheadjualaheadjunordreisaxn--troms-zuaxn--lgrd-poacporsangerflatangerstavangerleikangerbremangersamnangergieldakarasjohkaxn--rdy-0nabfrostautsirasnoasatromsaxn--sr-aurdal-l8aflekkefjordj\xF8lsterjolsteraremarkhedmarkn\xE5\xE5mesjevuemienaamesjevuemiexn--vard-jrarollagmer\xE5kermerakerorskog\xF8rskogxn--bdddj-mrabd\xE1k\u014Boluoktaxn--osyro-wuaaknoluoktatrysilskjerv\xF8ymandaljondalbindalrindalmeldalsuldalorkdalsigdalalvdall\xE6rdalhurdalsirdalverdallerdallardaloppdal\xE5seralaseralhadselkrager\xF8divttasvuotnaoverhallasteinkjerxn--hnefoss-q1askedsmokorsettroms\xF8xn--dyry-iravestre-totenmuseumxn--sandnessjen-ogbrahkkeravjufylkesbiblb\xE1jddarbajddarxn--laheadju-7yarennes\xF8yxn--koluokta-7ya57hxn--hgebostad-g3aleirfjordstorfjordbalsfjordb\xE5tsfjordbatsfjordmuos\xE1tbiev\xE1tloab\xE1tk\xE1r\xE1\u0161johkan\xF8tter\xF8yxn--mjndalen-64anordkappl\xE1hppilahppialstahaugsiljanverranr\xF8ykenroykenhaldenlyngenbergenhortenh\xF8nefosshonefosstroandinbeiarnvarggatosoyroos\xF8yrotromsoidrettmuosatbievatruovatloabatvoagattynsetnessetxn--indery-fyask\xE1nitskanitraholtr\xE5holtxn--ystre-slidre-ujbandebusarpsborgbearduxn--karlsy-fyahordalandjorpelandj\xF8rpelanddeatnuringsakers\xF8r-odalsor-odalxn--slt-elabringerikeaudnedalnittedalnissedalhemsedalslattumsurnadalxn--blt-elabelverumstj\xF8rdalnaustdalhjartdalgj\xF8vikfyresdalhasviknarviklarvikgjovikmalvikgamviklenvikporsgrunnstjordalengerdaldrobakdr\xF8bakxn--msy-ula0hvestvagoyxn--vgan-qoaxn--ryken-vuaxn--lten-graxn--stfold-9xaxn--hpmir-xqaxn--lury-iram\xE1latvuopmimalatvuopmitysv\xE6rkirkenesbirkenesmoskenesb\xE1id\xE1rxn--fjord-lraxn--rdal-poabahcavuotnab\xE1hcavuotnaxn--frde-gralind\xE5sbearalvahkixn--hobl-irar\xE1hkker\xE1vjuxn--loabt-0qav\xE5g\xE5\xE1lt\xE1bod\xF8sundlundrader\xE5deetnetimeholeauregrueoddavagavegaranatanaarnasolasulaaltalekafusavangbergkvam\xE5mliamlibokntinnroangranosenoslobodor\xF8stroststat\xE5motamotivgupriv\xF8yeroyerliermossvossxn--nvuotna-hwalusterlunnermarkerh\xE1bmerhabmerhvalerfjalerxn--rholt-mratysvarbaidarfitjargaularh\xE1pmirhapmirmelhusfosnes\xF8ksnesoksnestysneshemnesevenesflesbergeidsbergtonsbergt\xF8nsberglindasxn--sndre-land-0cbnamsosxn--srum-gra\xF8ystre-slidreoystre-slidrevestre-slidretrondheimbalestrandxn--langevg-jxaaustrheimxn--skjk-soavagsoyaveroysandoykarmoyfinnoytranoyvestbytranbysykkylvenxn--hyanger-q1aspjelkavikandasuoloxn--fl-ziaxn--drbak-wuastathellexn--sr-varanger-ggbtelemarkxn--bhcavuotna-s4axn--porsgu-sta26f\u010D\xE1hcesuolocahcesuoloakrehamn\xE5krehamnsand\xF8ykarm\xF8yfinn\xF8ytran\xF8yv\xE5gs\xF8yaver\xF8ynamdalseidxn--lesund-huabadaddjaxn--vegrshei-c0axn--btsfjord-9zagildesk\xE5lporsanguxn--trgstad-r1an\xE1vuotnanavuotnahammerfestxn--sgne-graxn--brnny-wuacibestadharstadnarviikaeven\xE1\u0161\u0161ivestnesgjemnessandnesagdenesrennesoyxn--avery-yuaxn--tysvr-vrabearalv\xE1hkikongsbergspydebergrandabergxn--andy-iradavvesiidaxn--krdsherad-m8apors\xE1\u014Bgufredrikstadbjerkreimringeburennebuaurskog-holandnotteroyxn--vgsy-qoa0jxn--rmskog-byaskierv\xE1ivelandbyglandfrolandaurlandforsandxn--bjddar-ptamidsund\xE5lesundalesundfetsundfarsundovre-eiker\xF8vre-eikerakershusxn--moreke-juas\xF8rfold\xF8stfoldostfoldsorfoldh\xF8yangerhoyangerlevangerorkangertanangerxn--vestvgy-ixa6olillesandulsteinxn--rennesy-v1agranvinskjervoyxn--klbu-woalavagisxn--h-2faxn--ryrvik-byakafjordk\xE5fjordseljordfolkebiblxn--gjvik-wuajevnakerxn--kfjord-iuabudejjuxn--kranghke-b0axn--davvenjrga-y4axn--rland-uuaxn--ldingen-q1axn--mlselv-iuaxn--rady-iraxn--linds-prabrumunddalxn--ygarden-p1amo-i-ranaeidskogr\xF8mskogromskoghjelmelandxn--finny-yuaxn--sr-odal-q1axn--skjervy-v1aballangenkvanangenkv\xE6nangengratangenxn--hmmrfeasta-s4acvossevangensuohkanxn--rde-ulaxn--mli-tlaxn--ksnes-uuanordlandskanlandsk\xE5nlandsortlandfuoiskuxn--rros-graxn--hcesuolo-7ya35bxn--eveni-0qa01gagaivuotnag\xE1ivuotnaxn--seral-lradrammenmodalenmosjoenjan-mayentorskensteigengloppenxn--snes-poamatta-varjjatxn--sr-fron-q1aomasvuotnajessheimb\xE5d\xE5ddj\xE5xn--krager-gyaxn--kvfjord-nxaxn--asky-iraxn--snase-nraxn--bidr-5nacholt\xE5lenxn--vads-jraxn--jlster-byamosj\xF8enxn--rst-0nastavernxn--ostery-fyaxn--oppegrd-ixaxn--sknit-yqaxn--risa-5naoppeg\xE5rdskiptvetrendalenholtalenxn--mot-tlaxn--lhppi-xqaxn--holtlen-hxaxn--srreisa-q1akopervikxn--muost-0qaxn--bmlo-grahokksundkvalsundegersundxn--karmy-yuaullensakerxn--hylandet-54axn--kvitsy-fyaxn--bod-2nalangev\xE5gberlev\xE5gkristiansandxn--rsta-frahornindalstj\xF8rdalshalsenstjordalshalsensandnessjoenh\xE1mm\xE1rfeastaxn--lrdal-sras\xF8r-fronsor-fronnord-odalkristiansundm\xE1tta-v\xE1rjjatvestv\xE5g\xF8ynesoddennotoddenbuskerud\xF8ygardenoygardensalangenlavangenralingenr\xE6lingenlodingenl\xF8dingenlea\u014Bgaviikalaakesvuemieleangaviikauenorgexn--srfold-byaaskvollxn--rskog-uuaxn--nry-yla5gxn--vry-yla5ghammarfeastaxn--rhkkervju-01afxn--givuotna-8yakommunekrokstadelvanedre-eikerhagebostadh\xE6gebostadxn--berlevg-jxakviteseidxn--s-1faxn--l-1faxn--nmesjevuemie-tcbafuosskomo\xE5rekemoarekexn--lt-liacxn--jrpeland-54asvalbardoppegardholmestrandtvedestrandsogndalsokndalarendalsunndalfolldalxn--krjohka-hwab49jlyngdaletnedalnorddalsaltdalgausdalskedsmovaksdalgjesdalstordalxn--frya-hraaarbortedrangedalxn--smna-graaurskog-h\xF8landxn--vg-yiabtjeldsundhaugesundlindesnesxn--mre-og-romsdal-qqbxn--dnna-gradyntmpheremerseineshacknetenterprisecloudmineaccomaorim\u0101oriorgmilcriiwigennetschoolhealthkiwigovtgeekxn--mori-qsacloudnsparliamentcomedorgcompronetedugovmuseumwebsitekinservicebarsywebsitebuildereerobookheimdnsleapcelleero-stagetechcrscsslorigingohomecdbedeeeiemesecabgngilnlalplchfisiincnnoroptatitmtltruauhulumkdkukskjplvtrgrfrkrhrusesismycynzcznetinteduassoososcloudstgbetaaezaeuhkusjswzhatenadiarycdn77hoptozaptois-a-knightmyftpno-ipjpnddnssdpdnsspdnsbarsysweetpepperis-a-bruinsfanis-very-sweetservegameis-a-soxfanhomelinuxcdn77-secureservebbsmisconfusedwebredirectblogsitefreedesktopcouchpotatofriestoolforgeaccesscamis-lostreadmyblogsmall-webfedorapeopleserveftpis-a-celticsfanmywirepotagertwmailin-dslsellsyourhomeread-booksfreeddnscable-modemis-savednflfanufcfanmlbfanstuff-4-saleendoftheinternetin-vpnmy-firewallhomeftpis-localis-a-chefboldlygoingnowherewebhopselfipkicks-assroxatunkcamdvrfedoraprojectgotdnsdvrdnsdyndnspubtlspimientahomeunixdontexistfedorainfracloudwmflabsfspagesbmoattachmentsteckidsfamilydsdnsaliasdynaliasnow-dnscloudnsdoomdnsduckdnsblogdnshomednsroutingthecloudendofinternetdsmynasip-dynamicpoivronhttpbinmyfirewallis-very-evilmysecuritycamerais-a-linux-userwmcloudis-a-geektuxfamilyis-a-candidatedoesntexistis-very-badhobby-sitegame-hostaltervistais-foundis-a-patsfandnsdojohepforgepodzonedynservcollegefanis-very-goodfrom-meis-very-niceisa-geeknerdpolacmedsldingorgcomnomgobabonetedupleskaemhlxmyboxrockyprvcydeuxfleursvibekitprodomgspdnscodebergheyflowstatichostlinkyhostmymagicorgmilcomnomgobneteduorgcomeduiorgmilcomngonetedugovcloudns1337ngrokacorggogfamcomwebgobnetedugokgopgkpgovgosbizpasaugumicsopozpapuwmwsrprusiskwpspkppspkmpspokeoiawsawifoumsdnskokwpmuppuppsppiwwiwoowuzswkzoschrzpisdnwzmiuwwitdpssewsseumigugimoirmpinbwinbwiihupporzgwgriwupowwskrwioswuozstarostwokonsulattmpccopruszkowmyspreadshopostrodakartuzyopolegminamediaustkazgorajgoraolawailawalomzawloclradombytomjaworznotargilubinkoninzagantorunkutnokepnonakloczestsopotsanokturekplockslasksklepzarowlukowmedaidgdaorgmilrelcomnomatmgsmartneteduelkgovwawsossexbiztgorysejnytychypomorzeboleslawiechomesklepsdscloudunicloudzakopanelegnicarawa-mazbydgoszczswidnikkrasnikwloclawekbielawamragowograjeworealestatebeskidykaszubymalopolskaprzeworskswiebodzinlecznadfirmaszkolawarmiagdyniamiastakazimierz-dolnymalborkswidnicadlugolekaostrolekapodlasieelblagtravelsimplesitezachpomormielecszczecinnieruchomosciwalbrzychlezajsklublinbedzinpoznanwielunmielnooleckostarachowicedkontopowiatwroclawrybniksuwalkileborkslupskgdanskostrowwlkptarnobrzegtourismwegrowkrakowglogowyou2pilanysamailwrocinfoagroautobeepshoppriviqhslapypiszlodzcfolksecommerce-shopmazurypulawyskoczowrzeszowpomorskiezgierzkaliszolkuszlowiczostrowiecsosnowiecmazowszewodzislawbialowiezazgorzeleckatowicepabianicejelenia-gorawolominkarpaczsieradznowarudaczeladzkonskowolaskierniewiceswinoujscieturystykabieszczadycieszynketrzynolsztynbialystokbabia-goraprochowicewarszawastalowa-wolapolkowicegorlicegliwiceponiatowalimanowalubartowaugustowkobierzyceopocznognieznoszczytnokolobrzegshoparenapodhalebielskoklodzkostargardcoshipatwithplayitownnamecoorgnetedugovacorgcomproestnetedugovbiznameislaprofinforechtngrokmedaaaacacpaenglawjurbarbarsykeeneticavocatacctcloudnsorgcomsecplonetedugov123paginaweborgcomnetintedugovnomepublidkinbarsygovx443cloudnsorgmilcomnetedugovcooporgmilcomschnetedugovnamecomcannetlibassoaemclantmcontstoreorgcomnomrecwwwbarsyfirminfoshopartsv6stackitmyddnswebspacelima-cityacincooxorgedugovbarsybrendlyhbvpsvpsspectrumlandinghostingacppmordoviamcprecbgorgmilcomspbnetintedumsknovgovbirrasmcdirmytismircloudvladimirnalchikadygeyamarinepyatigorskmyjinobashkiriaeurodirvladikavkazna4ugroznykustanaikalmykiacldmaildagestaniransmbuildcloudcanvaliaravalrwxwixdevelopmentappwritemigrationneedleverceldatabasestackitcodereplravendbsanityonporterlovableaccoorgmilnetgovcoopmedorgcompubschnetedugovservicemecomygovorggovtvmedorgcomnetedugovinfoedgfacbmlonihkutwpsryxzbdtmacfhppmyspreadshopbrandpartiorgcomfhvpress123minsidaitcouldbeworlanbibkommunalforbundfhskiopsyskomvuxkomforbnaturbruksgymnloginlineorgcomnetedugovenscaledeuusentsurgebotdaorgmilcomnetgovnowteleporthashbangbearlyplatformlovablebarsyshopwarebasehoplixbarsyonlinemsf5gitpagewawamscofigma-govcaffeinefigmacanvasoltstscwputerbarsysupportchatgptsquareomniweopensocialcpanelplaycodenotionnovecorewpsquaredpreviewjelecyonbyensrhtfastvpspieboxconvexmedusajsjouwwebheyflowplatformshdocsflowyloginlinemadethissourcecraftclouderaorgorgcomartedugouvunivmeorgcomnetedugovsurveysstatichfheiyumanusxs4allprojectmyfastubervibehostapp-ionosdeployagentmecoorgcomschnetedugovbizcncostoreorgmilcomneteduembaixadaconsuladokiraranohoprincipesaotomeheliohobarsystorebaseshopwaresellfyaisanityabkhaziavologdamordoviapenzalenugsochinavoiexnetspbmsknovnorth-kazakhstanashgabadkareliaarmeniageorgiavladimirnalchikivanovobukharaadygeyakhakassiakalugakrasnodarjambylaktyubinsktroitskbryanskobninskkurganazerbaijanpokrovskbashkiriatselinogradvladikavkazmurmansktulatuvamangyshlaktashkentchimkentgroznykaragandatermezarkhangelskkustanaikalmykiabalashoveast-kazakhstankaracoldagestantogliattibarsyredorgcomgobedumirenaccoorgjelasticdiscoursecleverappsschacmiincogoornetonlineshopcogoorgmilcomwebnicnetintedugovbiznametestcoorgmilcomnomnetedugovorangecloudpersoindorgcomfinnatnetgovensmincomtourismintlinfox0611orgmilcomnetedugovquickconnectvpnplusnettprequalifymeaddrmyaddrntdllwadlnctvavdrk12orgmilpolbeltelcomwebgennetedutskkepgovbbsbiznameinfocoorgmilcompronetedugovbiznameinfobetter-thanworse-thansakurafromdyndnson-the-webmymailerorgmilurlcomneteduidvgovmydnsgameclubebizmeneacsccogotvorhotelmilmobiinfovodteiflgplkmsmsbcckhincndnvncoztltmkckppzpdprvcvkvlvcrkrkscxuzchernovtsyrivneyaltaodesavolynrovnolutskltdinforgcomnetedugovbizvinnicazhitomirternopilpoltavakropyvnytskyizaporizhzhiasevastopolsebastopoluzhgoroduzhhorodkharkovkharkivvinnytsiakhmelnytskyizaporizhzhecrimeaodessazhytomyrnikolaevcherkassydonetskluganskluhanskkirovogradivano-frankivskchernivtsikrymkievkyivlvivsumyzakarpattiamykolaivcherkasychernigovkhersonchernihivdnipropetrovskdnepropetrovskkhmelnitskiyneacsccogoorusorgmilcomedugovmyspreadshopadimono-ipbarsybarsyonlinelayershiftnh-servretrosnubapicampaignservicelugaffinitylotteryweeklylotteryraffleentrygluglugsmeaccoindependent-inquestnimsitecopropymntltdorgplcschnetgovnhsbarsyindependent-commissionindependent-reviewpolicepublic-inquiryindependent-panelconnhospindependent-inquiryroyal-commissionoraclegovcloudappscck12libaws-govccphxcclibpvtparochchtrcck12libcceatonk12coglibtecgendstmusann-arborwashtenawcck12glghcck12sealibforksolympiabainbridge-islkeyporthoquiamyarrow-pointcentraliaport-townsendsequimport-ludlowrentonsilverdalebremertonredmondsheltonbellevueport-orchardport-angeleskingstonchehalisaberdeengig-harborseattlepoulsboidmdndsddemenegacalamaiavawapailalflnmdcncscohnhmihiviwiriinmntnmocoutvtctmtgunjokakwvnvprarorasmskstxwynykyazisadninsnngosrvis-bymircloudservernamepointtoenscaledland-4-salefreeddnsstuff-4-saleazure-apinoipdatabricksappscloudnsgolffanheliohostazurewebsitesgvorgmilcomgubneteducoorgcomnetd0egvorgmilcomnetedugovmydnsiacostoree12orgmilcomnomwebgobbibrectecnetintedugovraremprendefirminfoartseducok12orgcomnethidnsadidacaionioapsonlahanamhanoicamauhueorgcompronetintedugovbizbacninhtayninhhoabinhnamdinhtravinhhaiphongvinhlonghaiduongquangnamquangtrithuathienhuequangninhbacgianghaugiangquangbinhsoctrangbentrethanhphohochiminhdanangkontumhatinhkhanhhoathanhhoahealthgialailaocaiyenbaibackanngheanlonganphuyenphuthocanthodaklakdongnainameinfovinhphucdongthapkiengiangtiengiangquangngailaichaulangsonlamdongdaknonghagiangangiangcaobangbinhduongninhthuanbinhthuanbaclieuthaibinhninhbinhbinhdinhtuyenquanghungyenbaria-vungtauthainguyendienbienbinhphuocschbizputerorgcomnetedugovcloud66advisormypetsdyndnsxn--8dbq2axn--4dbgdty6cxn--5dbhl8dxn--hebda8bxn--80auxn--d1atxn--c1avgxn--o1acxn--o1achxn--90azhxn--55qx5dxn--uc0atvxn--od0algxn--wcvs22dxn--gmqw5axn--mxtq1mxn--12c1fe0brxn--h3cuzk1dixn--12co0c3b4evaxn--12cfi8ixb8lxn--o3cyx2axn--m3ch0j3axn--j1adpxn--90amcxn--90a1afxn--h1ahnxn--j1ael8bxn--h1alizxn--c1avgxn--j1aefxn--80aaa0cvacxn--41acaffeineexeopentunnelbotdashtelebitorgtmaccoagricorgmilnomwebnicngonetaltedugovlawnisschoolgrondaraccoorgmilcomschnetedugovbizinfoprg1-zeropstritonstackitlimazeropsaccoorgmilgov\u044F\u0441\u043F\u0431\u043E\u0440\u0433\u043A\u043E\u043C\u043C\u0441\u043A\u0431\u0438\u0437\u043C\u0438\u0440\u0441\u0430\u043C\u0430\u0440\u0430\u043A\u0440\u044B\u043C\u0441\u043E\u0447\u0438\u0430\u043A\u043E\u0434\u043F\u0440\u043E\u0440\u0433\u043E\u0431\u0440\u0443\u043F\u0440\u05E6\u05D4\u05DC\u05DE\u05DE\u05E9\u05DC\u05D9\u05E9\u05D5\u05D1\u05D0\u05E7\u05D3\u05DE\u05D9\u05D4\u0E2D\u0E07\u0E04\u0E4C\u0E01\u0E23\u0E18\u0E38\u0E23\u0E01\u0E34\u0E08\u0E23\u0E31\u0E10\u0E1A\u0E32\u0E25\u0E28\u0E36\u0E01\u0E29\u0E32\u0E17\u0E2B\u0E32\u0E23\u0E40\u0E19\u0E47\u0E15\u6559\u80B2\u7DB2\u7D61\u7D44\u7E54\u516C\u53F8\u653F\u5E9C\u500B\u4EBA\uB2F7\uB137\uD55C\uAD6D\u6FB3\u95E8\u65B0\u95FB\u6FB3\u9580\u8054\u901A\u5BB6\u96FB\u5609\u91CC\u62DB\u8058\u901A\u8CA9\uB2F7\uCEF4\uC0BC\uC131\u30B3\u30E0\u10D2\u10D4\u0431\u0433\u0440\u0444\u0435\u044Eadcdbdgdidmdsdtdaebedeeegeiejekemenepereseveyegabacalamanauavapaqasazacfbfafgfnfpfwftfbgcgagggegkgngmgsgpgvgtgugilmlnlalclglplsltlhmimjmkmmmomambmcmdmfmgmzmpmsmtmgbbblbsbecccacnclcmcvctcscmhkhghchbhthphshlinikifigiaibicivisikninhnmncnbngnsnpnvntnjoionomobocoaofodorosotoptstttytatbtetgtithtmtltrusuvuaucueuguhulumunufjdjbjtjsjlkmkhkfkdkcktkukskpkgpmpnpkpjpgqaqmqiqsvtvcvbvmvlvrwpwtwzwbwcwawgwkwmwtrsrprgrfrercrbrarnrmrlrkrirhrwsusrssspsgsesbsaslsmsissxmxaxcxuypysylymykygybycyuztzsznzmzkzdzczbzaz\u03B5\u03BB\u03B5\u03C5\u4E16\u754C\u53F0\u7063\u8D2D\u7269\u516C\u76CA\u70B9\u770B\u81FA\u7063\u7F51\u7EDC\u66F8\u7C4D\u5728\u7EBF\u7F51\u7AD9\u624B\u673A\u673A\u6784\u5927\u62FF\u6E38\u620F\u4FE1\u606F\u53F0\u6E7E\u8C37\u6B4C\u6148\u5584\u5546\u6807\u9999\u6E2F\u4E2D\u56FD\u9910\u5385\u7F51\u5740\u4E2D\u570B\u5546\u57CE\u98DF\u54C1\u5FAE\u535A\u653F\u52A1\u79FB\u52A8\u96C6\u56E2\u516C\u53F8\u516B\u5366\u5546\u5E97\u5065\u5EB7\u7F51\u5E97\u653F\u5E9C\u65F6\u5C1A\u4F5B\u5C71\u4E2D\u4FE1\u5A31\u4E50\u5E7F\u4E1C\u4F01\u4E1Ahomedepotengineering\u0627\u0645\u0627\u0631\u0627\u062Arepublicankuokgroupversicherungchannelcitadelxn--pgbs0dhxn--b4w605ferdstatebankwebsitexn--mgb9awbf\u4E9A\u9A6C\u900A\u6DE1\u9A6C\u9521alibabaxn--ngbc5azdxn--mgbbh1axn--45br5cyltoshibabuildworldcloudtradeguideplacespacedancemoviephoneprimesmilebiblestyleappleazurestoreskypegripexn--l1accdrivelottehorsehouseleasechasereisestadahondaomegaaetnaamicaninjanokiamediadeltavodkaedekaosakapizzaslingemailgmailtirolshelltmallfinallegaltotalhotelamfamforumrehabmusicciticricohcoachwatchboschearthfaithirishmiamiarchidubaiguccipraxi\u307F\u3093\u306A\u30B9\u30C8\u30A2\u30BB\u30FC\u30EBcanonsalononionnikonepsonkoelngreensevencrownikanoradioaudioweiboglobopromogalloyahoociscorodeovideomangobingotokyovolvolottokyotophotosmartsportquesttrusthyattjetztadultcymrubaidutushuxn--kprw13dubankclickblackmerckgroupsharpcheapnowtvxn--h2brj9c\u05E7\u05D5\u05DD\u0570\u0561\u0575\u043E\u0440\u0433\u0441\u0440\u0431\u043C\u043E\u043D\u043A\u043E\u043C\u0431\u0435\u043B\u043C\u043A\u0434\u049B\u0430\u0437\u0440\u0443\u0441\u0443\u043A\u0440\u0645\u0635\u0631\u0642\u0637\u0631\u0639\u0631\u0628\u0643\u0648\u0645dadcfdmedwedredphdthdbidpidkrdmsdltdiceonewmeglemoerwecfageacbanbambaaaammakianraspacpaaxawtfbcgaegongingaigvigorgdogdhlmilrilonlaolloluoljllcalgalnflafltelsrlfrllplkimibmcamcombommomifmabbjcbscbwebcabnabtabmlbpubabcbbcnecincpncllcstcwtcpwcnyckfhbzhovhmoiskiobisbitcifyituipinvinwinxincbnbcnmanfangdnmenrenkpnmtnyunrunfununobiojioriohbogmofooboooooacoecoceongoproartistottnttbbtcateatlatvetpetbetnethktmitfitintjothotgotdotbotprueduicujnjyouinknhktdkappsapgapmapdnptopgopllpjmpzipvipripesqtrvdtvitvdevmovgovhivnrwlawsewnewbmwwownowhowdvrftrmtrsfrbarcartvscrseusawsupsubssbsadsddsldssasbmsmlsxxxboxfoxgmxtjxsextaxbuyflydiysoyjoyskypaydaygayxyzanzbizwebersenerpokerlameractortatarsolar\u0EA5\u0EB2\u0EA7\u0E04\u0E2D\u0E21\u0E44\u0E17\u0E22tourslocusnexuslexusgiftsbeatsboatspartspressglassswiss\u0915\u0949\u092E\u0928\u0947\u091Ftiresgivescodeshomesgamestunesshoescardswalesloansvegastoolsdealsautosparis\u30D5\u30A1\u30C3\u30B7\u30E7\u30F3workssucksrocksxeroxforexfedexpartylillymoneystudyrugbytoraytoday\u4E2D\u6587\u7F51xn--unup4y\u5929\u4E3B\u6559\u98DE\u5229\u6D66\u65B0\u52A0\u5761enterprises\u6211\u7231\u4F60\u5609\u91CC\u5927\u9152\u5E97christmasxn--fct429kholdingsxn--8y0a063axn--mgbx4cd0ablifestyleabogadoallstatenetbank\u0643\u0627\u062B\u0648\u0644\u064A\u0643xn--s9brj9cxn--gk3at1ebestbuycharityxn--55qx5dmicrosoftpropertybasketballhomegoodscorsicajewelrygallerygrocerysurgerycountrybrusselsverisignferreroxn--czr694bhdfcbankcommbanksoftbank\u067E\u0627\u0643\u0633\u062A\u0627\u0646\u067E\u0627\u06A9\u0633\u062A\u0627\u0646nextdirect\u0627\u0644\u0633\u0639\u0648\u062F\u064A\u0647\u0627\u0644\u0639\u0644\u064A\u0627\u0646xn--h2brj9c8cxn--80adxhksshikshaxn--mgbai9azgqp6jcuisinellabarclayscatholicxn--kpry57dcompanyxn--xhq521bblackfridayxn--mgba3a3ejtsandvikxn--d1acj3bacademydownload\u0645\u0644\u064A\u0633\u064A\u0627xn--j1amhxn--w4r85el8fhu5dnraipirangaathletaxn--fhbeixn--mgbqly7cvafrzuerichxn--c2br7g\u0B87\u0BB2\u0B99\u0BCD\u0B95\u0BC8contractorsxn--io0a7igraphicsinsurancetemasekxn--xkc2al3hye2amotorcyclesphotographydirectoryplumbingxn--vhquvclothingtrainingcleaningwilliamhilllightingxn--mgba3a4f16ashoppingcateringeducationokinawapicturesventuresproductionsxn--9et52uwalmart\u0D2D\u0D3E\u0D30\u0D24\u0D02supportrealestatecapitalonexn--nqv7fs00emaauspostfloristdentistxn--qxamgodaddybradescobargainsmitsubishikerryhotelsxn--9dbq2axn--3pxu8kimmobilienxn--fjq720axn--mgbtx2bholidaymckinseymadridbusinessbuildersxn--4gbrim\u043C\u043E\u0441\u043A\u0432\u0430\u0627\u0644\u0633\u0639\u0648\u062F\u06CC\u0629coffeedegreelacaixapartnersalsaceofficeabbvievoyageorangegeorgeonlinechromemobilekindlegoogleoraclecircleschulesecureinsurexn--mgba7c0bbn0aestatexn--mgbc0a9azcgcruisehangoutxn--vuq861bxn--42c2d9arexrothfirestoneuniversityxn--nnx388alifeinsuranceextraspace\u043E\u043D\u043B\u0430\u0439\u043Dverm\xF6gensberatersoftwarexn--fiqs8sxn--mgbab2bdxn--w4rs40ltienda\u092D\u093E\u0930\u0924\u092E\u094Dafricatoyotaotsukasakuracameracreditcardnagoyaconsultingnetworktheatermonsterprogressivepioneerxn--55qw42gracingdatingvotingvikinglivinggivingxn--bck1b9a5dre4cbrotherweatherjoburg\u0641\u0644\u0633\u0637\u064A\u0646lplfinancialxn--clchc0ea0b2g2a9gcdfutbolschoolsocialglobaldentalwoodsidechanelairtelmatteltravelrealtorwebcamstream\u0C2D\u0C3E\u0C30\u0C24\u0C4Dunicomalstomxn--nodexn--6frz82gmuseumfurniturexn--rvc1e0am3exn--mix891faccenturexn--11b4c3dismailineustardiscountquebeccomsecclinicservicesxn--y9a3aqxn--c1avgswatchchurchsearch\u0627\u0644\u0627\u0631\u062F\u0646marketingcontacthealthmonashshoujisanofitaipeiamericanexpresssuzuki\u30A2\u30DE\u30BE\u30F3\u30AF\u30E9\u30A6\u30C9\u30DD\u30A4\u30F3\u30C8bharti\u30B0\u30FC\u30B0\u30EBxn--mgberp4a5d4armemorialxn--1qqw23alondonmormoninstitutevisionbostonnortoncouponmaisonamazonvirginberlindesigndurbanolayannissananquanxihuanhitachikaufengardenreisenbayerntechnologydatsunxn--90a3aclatinocasinostudiophysioxn--ngbe9e0apharmacytattootaobaoaramcoexpertreportabbottdirectselectimamatfairwindspictettargetmarketintuittravelersinsurancecreditdupontryukyusuppliesxn--tckwebnpparibasschmidtmerckmsdyodobashirestaurantbridgestonecricketxn--fpcrj9c3dbostikbroadwayattorneylefrakemerckxn--fiq228c5hscareersfarmerswinnersflowersxn--wgbh1cguitarsxn--54b7fta0ccxn--p1acfmakeupgalluplandroverxn--kcrx77d1x4agoldpointbauhausxn--mgbayh7gpahiphopplaystationxn--mgba3a4fraxn--eckvdtc9dhyundaixn--gckr3f0fistanbulticketsmarketsflightschintaireviewsxn--3e0b707ewindowsxn--fiqz9sfinancialxn--fzys8d69uvgm\u0627\u0628\u0648\u0638\u0628\u064Adiscoverreview\u09AC\u09BE\u0982\u09B2\u09BExn--5su34j936bgsgmoscowobserverapartments\u0434\u0435\u0442\u0438\u0627\u0631\u0627\u0645\u0643\u0648\u0441\u0430\u0439\u0442eurovisionxn--i1b6b1a6a2exn--xkc2dl3a5ee0h\u062A\u0648\u0646\u0633\u0645\u0648\u0642\u0639\u0628\u0627\u0631\u062A\u0680\u0627\u0631\u062A\u0634\u0628\u0643\u0629\u0639\u0645\u0627\u0646\u0628\u064A\u062A\u0643\u0639\u0631\u0627\u0642readkredbondlandbandfundfoodprodgoldfordtubecafesafelifeggeeieeefreefagepagegugezonewinememenamegamesaleablebikenikelikecarecbreherefiresaveloveliveblueartedatesitevotecaseluxebofamodaltdaasdatiaayogasinavanashiaasiajavabbvatevavivadatazaraarpacasavisasncfprofmaifsurfgolfdvagsongbingpingwangkpmggoogblogpohlfailcooldellcalldeallidlsarlfilmteamroomfarmimdbarabclubhdfcicbchsbcgmbhrichtechfishdishcashminiernikddiaudiwikimobitaxicitikiwidesiqponskinloanakdnwienopenporncerntownimmolimoolloinfonicofidolegosaxozeroaerovivoautovotomotofastbestresthostpostnextlgbtchatseatgiftmeetdietreitmintrentgentspotscotguruitausohumenucyoubanklinkpinkdclktalksilkbookseekworkrsvpaarpjeepshopcoophelpcamppccwshowbeerstarruhrflirweirhaircarsparsjprshausplusnewstipstoysjobskidsfanspicsdocsxboxamexsexynavycitysonyarmyallybabyplaydeliverybuzzgbizlamborghiniphilips\u0DBD\u0D82\u0D9A\u0DCF\u0CAD\u0CBE\u0CB0\u0CA4fitnessexpresslanxesspfizercenterwalterlawyersoccercareerkosherbrokerlockerdealerdoctorauthorxn--mgbqly7c0a67fbcverm\xF6gensberatungjaguarxn--pssy2uxn--hxt814eflickrrepairrogersairbusxn--mgbai9a5eva00beventsyachtsxn--t60b56a\u09AD\u09BE\u09F0\u09A4\u09AD\u09BE\u09B0\u09A4\u092D\u093E\u0930\u0924\u092D\u093E\u0930\u094B\u0924viajeshermeshughesxn--j1aef\u0938\u0902\u0917\u0920\u0928villas\u0B2D\u0B3E\u0B30\u0B24claimshotels\u0AAD\u0ABE\u0AB0\u0AA4zapposphotosjuegoscondostatamotorsgratistennis\u0A2D\u0A3E\u0A30\u0A24tkmaxxtjmaxxschaeffleryandexxn--80aswgrealtysafetybeautyluxuryxn--3ds443gsupplyfamilyxn--o3cw4hhockeysydneyxn--90aenissayalipayenergycomputeragencyxn--rovu88b\u96FB\u8A0A\u76C8\u79D1xn--gecrj9cstatefarmaccountantaquarelleolayangroup\u9999\u683C\u91CC\u62C9xn--p1ai\u7EC4\u7EC7\u673A\u6784xn--1ck2e1bxn--mgbt3dhdschwarz\u0645\u0648\u0631\u064A\u062A\u0627\u0646\u064A\u0627abudhabinowruzkomatsufujitsuhospitalxn--80asehdbxn--mgbtf8flxn--j6w193gxn--yfro4i67oprudentialxn--flw351ecruisescoursesrecipesxn--e1a4cferrarixn--ses554gxn--wgbl6awatchesstaplessinglesxn--mgbcpq6gpa1axn--otu796dpropertiescreditunionxn--mgbah1a3hjkrdstockholmhisamitsu\u0627\u0644\u0633\u0639\u0648\u062F\u064A\u0629stcgroupdomainsoriginscouponsbloombergclubmedfroganslimitedxn--80aqecdr1aexposedinternationalequipmentbarclaycardxn--q7ce6axn--mgbi4ecexpprotectionassociatesconstructionxn--cck2b3bxn--45q11candroidfoundation\u05D9\u05E9\u05E8\u05D0\u05DCxn--mgbca7dzdocliniqueboutiqueengineerxn--qxa6asystemsfirmdalefashionauctionxn--nqv7finfinitirentalsreliancetradingweddingfishinghostinggentingbookingcookingxn--3hcrj9cgraingerxn--czrs0tdemocratsamsungyokohamaxn--h2breg3evexn--nyqy26alundbeckmelbournevacationssolutionsfrontierxn--vermgensberatung-pwbmanagementxn--cg4bkixn--mgb2ddeslincolnhamburgsandvikcoromantblockbusterairforcebarefootxn--4dbrk0ceinvestmentsfeedbackcommunityxn--ngbrx\u0627\u0644\u0628\u062D\u0631\u064A\u0646diamondsamsterdamhealthcareredumbrellaxn--mxtq1mxn--2scrj9cagakhanxn--mgbpl2fh\u043A\u0430\u0442\u043E\u043B\u0438\u043Acaravan\u0B9A\u0BBF\u0B99\u0BCD\u0B95\u0BAA\u0BCD\u0BAA\u0BC2\u0BB0\u0BCDrichardlimortgageamericanfamilyxn--fzc2c9e2cscholarshipssaarlandxn--imr513nvlaanderensamsclubgoodyearkitchen\u0B87\u0BA8\u0BCD\u0BA4\u0BBF\u0BAF\u0BBEweatherchannelallfinanzxn--kput3i\u0627\u0644\u0633\u0639\u0648\u062F\u06CC\u06C3xn--90aisxn--efvy88h\u0627\u0644\u062C\u0632\u0627\u0626\u0631xn--mgbaam7a8hexchangejpmorganxn--tiq49xqyjfidelitysecurityxn--mk1bu44cwanggouxn--fiq64bxn--6qq986b3xlxn--mgbbh1a71exn--80ao21amarshallsxn--5tzm5gtravelerspanasoniclatrobeyoutubeaccountantsxn--rhqv96gxn--cckwcxetdanalyticsxn--ygbi2ammx\u0628\u0627\u0632\u0627\u0631\u0628\u06BE\u0627\u0631\u062A\u0633\u0648\u0631\u064A\u0629organicfresenius\u0633\u0648\u0631\u064A\u0627xn--9krt00axn--qcka1pmcxn--jlq480n2rgdeloittesciencefinancexn--jvr189mxn--30rr7yhomesensehotmailbaseballfootballleclercboehringerxn--q9jyb4cxn--mix082f\u0627\u0644\u064A\u0645\u0646\u0647\u0645\u0631\u0627\u0647politie\u0633\u0648\u062F\u0627\u0646\u0627\u064A\u0631\u0627\u0646\u0627\u06CC\u0631\u0627\u0646netflixyamaxunxn--lgbbat1ad8jcollegestoragecapetowncolognekerrypropertiesxn--mgbgu82axn--ogbpf8flxn--czru2dwhoswhociprianilasallexn--g2xx48cforsalebanamexaudiblexn--vermgensberater-ctbxn--zfr164bericssonvanguardxn--45brj9cindustriestheatremarriottxn--3bst00mcomparexn--mgberp4a5d4a87gcapitaldigital\u0627\u0644\u0645\u063A\u0631\u0628barcelonashangrilaxn--d1alfcalvinkleinwwwcitysapporokawasakinagoyasendaikobekitakyushuyokohamackjp";
var rulesRoot = 663;
var exceptionsRoot = 667;

// node_modules/tldts/dist/es6/src/suffix-trie.js
var numberOfNodes = nodeFlags.length;
var numberOfEdges = edgeLength.length;
var edgeOffset = new Uint32Array(numberOfEdges);
var edgeHash = new Uint32Array(numberOfEdges);
var wildcardEdge = new Int32Array(numberOfNodes).fill(-1);
for (let node = 0, offset = 0; node < numberOfNodes; node += 1) {
  for (let edge = edgeStart[node]; edge < edgeStart[node + 1]; edge += 1) {
    edgeOffset[edge] = offset;
    const end = offset + edgeLength[edge];
    let hash = 5381;
    for (let i = end - 1; i >= offset; i -= 1) {
      hash = hash * 33 ^ labelText.charCodeAt(i);
    }
    edgeHash[edge] = hash >>> 0;
    if (edgeLength[edge] === 1 && labelText.charCodeAt(offset) === 42) {
      wildcardEdge[node] = edge;
    }
    offset = end;
  }
}
var matchNode = -1;
var matchStart = 0;
var matchEnd = 0;
function labelEquals(edge, hostname, start, length) {
  if (edgeLength[edge] !== length) {
    return false;
  }
  const offset = edgeOffset[edge];
  for (let i = 0; i < length; i += 1) {
    if (labelText.charCodeAt(offset + i) !== hostname.charCodeAt(start + i)) {
      return false;
    }
  }
  return true;
}
function findEdge(node, hash, hostname, start, length) {
  let lo = edgeStart[node];
  let hi = edgeStart[node + 1];
  while (lo < hi) {
    const mid = lo + hi >>> 1;
    const value = edgeHash[mid];
    if (value < hash) {
      lo = mid + 1;
    } else if (value > hash) {
      hi = mid;
    } else {
      for (let e = mid; e >= lo && edgeHash[e] === hash; e -= 1) {
        if (labelEquals(e, hostname, start, length))
          return e;
      }
      for (let e = mid + 1; e < hi && edgeHash[e] === hash; e += 1) {
        if (labelEquals(e, hostname, start, length))
          return e;
      }
      return -1;
    }
  }
  return -1;
}
function walk(hostname, root, allowedMask) {
  let node = root;
  let end = hostname.length;
  let hash = 5381;
  matchNode = -1;
  for (let i = hostname.length - 1; i >= 0; i -= 1) {
    const code = hostname.charCodeAt(i);
    if (code === 46) {
      const start = i + 1;
      let edge2 = findEdge(node, hash >>> 0, hostname, start, end - start);
      if (edge2 === -1 && end !== start) {
        edge2 = wildcardEdge[node];
      }
      if (edge2 === -1) {
        return matchNode !== -1;
      }
      node = edgeChild[edge2];
      if ((nodeFlags[node] & allowedMask) !== 0) {
        matchNode = node;
        matchStart = start;
        matchEnd = end;
      }
      end = i;
      hash = 5381;
    } else {
      hash = hash * 33 ^ code;
    }
  }
  let edge = findEdge(node, hash >>> 0, hostname, 0, end);
  if (edge === -1 && end !== 0) {
    edge = wildcardEdge[node];
  }
  if (edge !== -1) {
    node = edgeChild[edge];
    if ((nodeFlags[node] & allowedMask) !== 0) {
      matchNode = node;
      matchStart = 0;
      matchEnd = end;
    }
  }
  return matchNode !== -1;
}
function suffixLookup(hostname, options, out2) {
  if (fast_path_default(hostname, options, out2)) {
    return false;
  }
  const allowedMask = (options.allowPrivateDomains ? 2 : 0) | (options.allowIcannDomains ? 1 : 0);
  if (walk(hostname, exceptionsRoot, allowedMask)) {
    out2.isIcann = (nodeFlags[matchNode] & 1) !== 0;
    out2.isPrivate = (nodeFlags[matchNode] & 2) !== 0;
    out2.publicSuffix = hostname.slice(matchEnd + 1);
    return true;
  }
  if (walk(hostname, rulesRoot, allowedMask)) {
    out2.isIcann = (nodeFlags[matchNode] & 1) !== 0;
    out2.isPrivate = (nodeFlags[matchNode] & 2) !== 0;
    out2.publicSuffix = hostname.slice(matchStart);
    return false;
  }
  out2.isIcann = false;
  out2.isPrivate = false;
  const lastDot = hostname.lastIndexOf(".");
  out2.publicSuffix = lastDot === -1 ? hostname : hostname.slice(lastDot + 1);
  return false;
}

// node_modules/tldts/dist/es6/index.js
var RESULT = getEmptyResult();
function parse(url, options) {
  return parseImpl(url, 5, suffixLookup, options, getEmptyResult());
}

// src/background/site.ts
function siteOf(url) {
  const parsed = parseURL(url);
  if (!parsed || !isWeb(parsed)) return null;
  const host = parsed.hostname;
  const facts = parse(host, { allowPrivateDomains: true, extractHostname: false });
  if (facts.isIp || !facts.isIcann && !facts.isPrivate) return host;
  return facts.domain ?? host;
}
function restriction(url) {
  const parsed = parseURL(url);
  if (!parsed) return "This tab shows no page yet.";
  if (isWeb(parsed)) {
    if (isWebStore(parsed)) return "Chrome lets no extension into the Web Store.";
    return null;
  }
  switch (parsed.protocol) {
    case "about:":
      return "An empty page belongs to no site. Open a website first.";
    case "file:":
      return "Local files stay closed to agents. Serve the folder on localhost instead.";
    case "data:":
    case "blob:":
    case "filesystem:":
      return "This page was made in the browser and belongs to no site.";
    case "chrome-extension:":
      return "This page belongs to an extension.";
    default:
      return "Chrome lets no extension into its own pages.";
  }
}
function covers(entry, url) {
  const parsed = parseURL(url);
  if (!parsed || !isWeb(parsed)) return false;
  const wanted = normalEntry(entry);
  if (wanted === null) return false;
  const { host, port } = splitPort(wanted);
  if (port !== "" && port !== portOf(parsed)) return false;
  return parsed.hostname === host || parsed.hostname.endsWith("." + host);
}
function normalEntry(text2) {
  let entry = text2.trim().toLowerCase();
  if (entry === "") return null;
  entry = entry.replace(/^[a-z][a-z0-9+.-]*:\/\//, "").replace(/^\*\./, "");
  const parsed = parseURL("http://" + entry.replace(/[/?#].*$/, ""));
  if (!parsed || parsed.hostname === "" || parsed.username !== "" || parsed.hostname.includes("*")) return null;
  const port = /:(\d+)$/.exec(entry.replace(/[/?#].*$/, ""))?.[1];
  return port === void 0 ? parsed.hostname : `${parsed.hostname}:${String(Number(port))}`;
}
function matchPatterns(entry) {
  const wanted = normalEntry(entry);
  if (wanted === null) return [];
  const { host, port } = splitPort(wanted);
  const suffix = port === "" ? "" : ":" + port;
  const patterns = [`*://${host}${suffix}/*`];
  if (!isAddress(host)) patterns.push(`*://*.${host}${suffix}/*`);
  return patterns;
}
function parseURL(url) {
  if (url === void 0 || url === "") return null;
  return URL.parse(url);
}
function portOf(url) {
  if (url.port !== "") return url.port;
  return url.protocol === "https:" ? "443" : "80";
}
function isWeb(url) {
  return url.protocol === "http:" || url.protocol === "https:";
}
function isWebStore(url) {
  return url.hostname === "chromewebstore.google.com" || url.hostname === "chrome.google.com" && url.pathname.startsWith("/webstore");
}
function isAddress(host) {
  return host.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}
function splitPort(entry) {
  const found = /^(.*):(\d+)$/.exec(entry);
  if (!found || entry.endsWith("]")) return { host: entry, port: "" };
  return { host: found[1] ?? entry, port: found[2] ?? "" };
}

// src/background/grants.ts
var GRANTS_KEY = "grants";
var DECLINED_KEY = "declined";
var Grants = class {
  #grants = /* @__PURE__ */ new Map();
  /** Tabs the person disconnected: the always-connect list leaves them alone until a new click. */
  #declined = /* @__PURE__ */ new Set();
  #write = Promise.resolve();
  async load() {
    const stored = await chrome.storage.session.get([GRANTS_KEY, DECLINED_KEY]);
    for (const value of asArray(stored[GRANTS_KEY])) {
      if (isGrant(value)) this.#grants.set(value.tabId, value);
    }
    for (const value of asArray(stored[DECLINED_KEY])) {
      if (typeof value === "number") this.#declined.add(value);
    }
  }
  /** The grant of a tab, unless it is over. */
  get(tabId) {
    const grant = this.#grants.get(tabId);
    return grant && !isOver(grant) ? grant : void 0;
  }
  all() {
    return [...this.#grants.values()].filter((grant) => !isOver(grant));
  }
  /** Grants whose time has passed, still held so that the daemon can be told. */
  expired() {
    return [...this.#grants.values()].filter(isOver);
  }
  set(grant) {
    this.#grants.set(grant.tabId, grant);
    return this.#save();
  }
  update(tabId, part) {
    const grant = this.#grants.get(tabId);
    if (!grant) return this.#write;
    this.#grants.set(tabId, { ...grant, ...part });
    return this.#save();
  }
  /** Ends a grant. declined keeps the always-connect list from making a new one. */
  remove(tabId, declined) {
    this.#grants.delete(tabId);
    if (declined) this.#declined.add(tabId);
    return this.#save();
  }
  /** The tab got a new id (discard, prerender activation): the grant follows it. */
  move(from, to) {
    const grant = this.#grants.get(from);
    this.#grants.delete(from);
    if (grant) this.#grants.set(to, { ...grant, tabId: to });
    if (this.#declined.delete(from)) this.#declined.add(to);
    return this.#save();
  }
  /** The tab is gone for good. */
  forget(tabId) {
    this.#grants.delete(tabId);
    this.#declined.delete(tabId);
    return this.#save();
  }
  declined(tabId) {
    return this.#declined.has(tabId);
  }
  allow(tabId) {
    this.#declined.delete(tabId);
  }
  /** The live grant of a tab at a level, or the Fault that says why not. */
  require(tabId, needed) {
    const grant = this.get(tabId);
    if (!grant) {
      throw new Fault("NOT_CONNECTED", "This tab is not connected.", {
        details: { tabId },
        suggestions: ["Ask the person to open the Debug Bridge popup in that tab and click Connect."]
      });
    }
    if (grant.paused !== null) {
      throw new Fault("NOT_CONNECTED", `The connection of this tab is paused: ${PAUSE_WORDS[grant.paused]}`, {
        details: { tabId, reason: grant.paused, site: grant.site },
        suggestions: ["Wait for the page to come back, or ask the person to click Connect in the popup."]
      });
    }
    if (!allows(grant.level, needed)) {
      throw new Fault("CAPABILITY_MISSING", `This tab is connected at level ${grant.level}; level ${needed} is needed.`, {
        details: { level: grant.level, needed },
        suggestions: [`Ask the person to choose "${needed}" in the Debug Bridge popup.`]
      });
    }
    return grant;
  }
  /** The person's yes to the tools that a frame's site declares, or the Fault that asks for it. */
  requireTools(tabId, frameUrl) {
    const grant = this.require(tabId, "act");
    const site = siteOf(frameUrl) ?? siteOf(grant.url) ?? grant.site;
    if (grant.tools?.includes(site) === true) return;
    if (grant.toolsAsked !== site) void this.update(tabId, { toolsAsked: site });
    throw new Fault("POLICY_DENIED", "The person has not allowed the tools of this site yet; the popup asks for it now.", {
      details: { reason: "consent", site, tabId },
      suggestions: ["Ask the person to open the Debug Bridge popup in that tab and switch on Page tools, then call again."]
    });
  }
  /** The person's answer. */
  allowTools(tabId, site, allow) {
    const others = (this.#grants.get(tabId)?.tools ?? []).filter((one) => one !== site);
    return this.update(tabId, { tools: allow ? [...others, site] : others, toolsAsked: site });
  }
  #save() {
    const value = { [GRANTS_KEY]: [...this.#grants.values()], [DECLINED_KEY]: [...this.#declined] };
    this.#write = this.#write.then(() => chrome.storage.session.set(value));
    return this.#write;
  }
};
function holdsOn(grant, url) {
  return grant.anySite ? siteOf(url) !== null : siteOf(url) === grant.site;
}
var PAUSE_WORDS = {
  left_site: "the tab left the site that was granted.",
  navigated_to_restricted: "the tab shows a page that no extension may enter.",
  crashed: "the page crashed.",
  discarded: "Chrome put the tab to sleep."
};
function isOver(grant) {
  return grant.expiresAt !== null && grant.expiresAt <= Date.now();
}
function asArray(value) {
  return Array.isArray(value) ? value : [];
}
function isGrant(value) {
  if (typeof value !== "object" || value === null) return false;
  const grant = value;
  return typeof grant.tabId === "number" && typeof grant.site === "string" && isLevel(grant.level) && isSessionName(grant.sessionId);
}

// src/background/badge.ts
var LOOKS = {
  observe: { letter: "O", colour: "#1f6feb" },
  act: { letter: "A", colour: "#b35900" },
  control: { letter: "C", colour: "#c4314b" }
};
var REFUSED = { letter: "!", colour: "#9a6200" };
var RECORDING = { letter: "\u25CF", colour: "#b42338" };
var ASKED = { letter: "?", colour: "#3a4fc4" };
var PAUSED = { letter: "II", colour: "#6b7280" };
async function drawBadge(tabId, grant, refusal, recording, asked) {
  const look = grant && asked ? ASKED : grant && recording && grant.paused === null ? RECORDING : grant ? grant.paused === null ? LOOKS[grant.level] : PAUSED : refusal === null ? null : REFUSED;
  try {
    await Promise.all([
      chrome.action.setBadgeText({ tabId, text: look?.letter ?? "" }),
      chrome.action.setTitle({ tabId, title: (grant && asked ? "Debug Bridge: an agent asks you something in this tab" : words(grant, refusal)) + (grant && recording ? " \xB7 recording" : "") }),
      ...look ? [chrome.action.setBadgeBackgroundColor({ tabId, color: look.colour }), chrome.action.setBadgeTextColor({ tabId, color: "#ffffff" })] : []
    ]);
  } catch {
  }
}
function words(grant, refusal) {
  if (!grant) return refusal === null ? "Debug Bridge: not connected" : `Debug Bridge: not connected. ${refusal}`;
  if (grant.paused !== null) return `Debug Bridge: paused, ${PAUSE_WORDS[grant.paused]}`;
  return `Debug Bridge: ${grant.level} \xB7 session ${grant.sessionId} \xB7 ${grant.anySite ? "any site" : grant.site}`;
}

// src/background/calls.ts
var LEVELS2 = /* @__PURE__ */ new Map([
  ["request_ui_tree", "observe"],
  ["outline", "observe"],
  ["page_state", "observe"],
  ["layout_measure", "observe"],
  ["layout_name", "observe"],
  ["layout_try", "act"],
  // puts styles on the page and takes them away
  ["request_state", "observe"],
  ["state_list", "observe"],
  ["state_get", "observe"],
  ["state_again", "observe"],
  ["state_set", "control"],
  ["state_dispatch", "control"],
  ["component_tree", "observe"],
  ["component_inspect", "observe"],
  ["component_of", "observe"],
  ["request_dom_snapshot", "observe"],
  ["frame_info", "observe"],
  ["ready", "observe"],
  ["settle", "observe"],
  ["hand", "observe"],
  ["wait", "observe"],
  ["locate", "act"],
  // scrolls the element into view
  ["foresee", "act"],
  // scrolls the element into view
  ["click", "act"],
  ["type", "act"],
  ["hover", "act"],
  ["focus", "act"],
  ["select", "act"],
  ["scroll", "act"],
  ["fill", "act"],
  ["press", "act"],
  ["watch", "observe"],
  ["mouse", "act"],
  ["drag", "act"],
  ["through", "act"],
  // scrolls the frame into view
  ["dragging", "act"],
  ["highlight", "observe"],
  ["ask", "observe"],
  ["tools_list", "observe"],
  ["tools_call", "act"],
  ["record_start", "observe"],
  ["record_flush", "observe"],
  ["record_secret", "observe"],
  ["record_stop", "observe"]
]);
var BRIDGE_WAIT_MS = 5e3;
var ABORT_GRACE_MS = 250;
var Calls = class {
  #pending = /* @__PURE__ */ new Map();
  #grants;
  #frames;
  #asked;
  #questions;
  #last = 0;
  /** asked: the person has something to answer. */
  constructor(grants2, frames2, questions2, asked) {
    this.#questions = questions2;
    this.#asked = asked;
    this.#grants = grants2;
    this.#frames = frames2;
  }
  async run(call) {
    const level = LEVELS2.get(call.command.type);
    if (level === void 0) {
      throw new Fault("UNKNOWN_TYPE", `A page bridge has no command ${JSON.stringify(call.command.type)}.`);
    }
    this.#grants.require(call.tabId, level);
    const deadline = performance.now() + call.timeoutMs;
    const frame = await this.#frame(call, deadline);
    this.#grants.require(call.tabId, level);
    if (call.command.type === "tools_call") this.#requireTools(call.tabId, frame);
    const answer = this.#send(frame, call.command, deadline);
    return call.command.type === "ask" ? this.#questions.round(call.tabId, call.command, answer) : answer;
  }
  #requireTools(tabId, frame) {
    try {
      this.#grants.requireTools(tabId, frame.info.url);
    } catch (error) {
      this.#asked();
      throw error;
    }
  }
  /** A command of the worker's own, for the person; no agent can send it. signal ends it early. */
  ask(frame, command, ms, signal) {
    this.#grants.require(frame.info.tabId, "observe");
    return this.#send(frame, command, performance.now() + ms, signal);
  }
  #send(frame, command, deadline, signal) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      let grace;
      const abort = () => {
        frame.post({ kind: "abort", id });
        grace = setTimeout(() => {
          this.#settle(id)?.reject(timeout(pending.acted));
        }, ABORT_GRACE_MS);
      };
      const timer = setTimeout(abort, Math.max(0, deadline - performance.now()));
      signal?.addEventListener("abort", abort, { once: true });
      const finish = () => {
        signal?.removeEventListener("abort", abort);
        clearTimeout(timer);
        clearTimeout(grace);
      };
      const pending = {
        frame,
        acted: false,
        resolve: (result) => {
          finish();
          resolve(result);
        },
        reject: (fault) => {
          finish();
          reject(fault);
        }
      };
      this.#pending.set(id, pending);
      frame.post({ kind: "call", id, command });
    });
  }
  /** The frame's bridge. A page that is loading is waited for, a document that is gone is not. */
  async #frame(call, deadline) {
    const until = Math.min(deadline, performance.now() + BRIDGE_WAIT_MS);
    for (; ; ) {
      const frame = this.#frames().get(call.tabId, call.frameId);
      if (frame && (call.documentId === void 0 || frame.info.documentId === call.documentId)) return frame;
      if (frame) throw documentGone(call, false);
      this.#grants.require(call.tabId, "observe");
      const left = until - performance.now();
      if (left <= 0) break;
      await this.#frames().change(left);
    }
    if (call.documentId !== void 0) throw documentGone(call, false);
    throw new Fault("NOT_CONNECTED", "No bridge runs in that frame: the page is still loading, failed to load, or lets no extension in.", {
      details: { tabId: call.tabId, frameId: call.frameId, reason: "no_bridge" },
      suggestions: ["Wait for the page to load, or send navigate with reload."]
    });
  }
  /** A message about a call from the frame that it went to. */
  answer(frame, message) {
    const pending = this.#pending.get(message.id);
    if (!pending || pending.frame !== frame) return;
    switch (message.kind) {
      case "acted":
        pending.acted = true;
        return;
      case "result":
        this.#settle(message.id)?.resolve(message.result);
        return;
      case "fault": {
        const details = pending.acted ? { ...message.details, acted: true } : message.details;
        this.#settle(message.id)?.reject(
          new Fault(message.code, message.message, {
            ...details ? { details } : {},
            ...message.suggestions ? { suggestions: message.suggestions } : {}
          })
        );
        return;
      }
    }
  }
  /** The frame's bridge is gone: what waited for it fails now, saying whether it had acted. */
  gone(frame, reason) {
    for (const [id, pending] of this.#pending) {
      if (pending.frame !== frame) continue;
      this.#settle(id)?.reject(documentGone({ ...frame.info }, pending.acted, reason));
    }
  }
  #settle(id) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
};
function timeout(acted) {
  return new Fault("TIMEOUT", "The page did not answer in time.", { details: { acted } });
}
function documentGone(where, acted, how) {
  return new Fault("NAVIGATION_INTERRUPTED", "The document was replaced or removed before the command was done.", {
    details: { reason: "DOCUMENT_GONE", acted, tabId: where.tabId, frameId: where.frameId, documentId: where.documentId, ...how ? { how } : {} },
    suggestions: ["Take a fresh tree with request_ui_tree and look at the page."]
  });
}

// src/background/confirm.ts
var PREFIX = "confirm:";
var SEEN_MS = 500;
var KEPT = 32;
var MAX_TEXT = 200;
var ACTS = {
  upload: "give files to",
  download: "download from",
  submit: "submit a form on"
};
var Confirms = class {
  #open = /* @__PURE__ */ new Map();
  #answered = /* @__PURE__ */ new Map();
  #grants;
  #changed;
  /** changed: a tab has a question more or less. */
  constructor(grants2, changed) {
    this.#grants = grants2;
    this.#changed = changed;
  }
  has(tabId) {
    return [...this.#open.values()].some(({ question }) => question.tabId === tabId);
  }
  /** All that is open, of this tab first. */
  list(tabId) {
    const all = [...this.#open.values()].map(({ question }) => question);
    return [...all.filter((one) => one.tabId === tabId), ...all.filter((one) => one.tabId !== tabId)];
  }
  /** Shows a question and waits. Asked again by the same id, it is the same question. */
  ask(asked) {
    const { id, tabId, timeoutMs } = asked;
    const grant = this.#grants.require(tabId, "observe");
    const answered = this.#answered.get(id);
    if (answered !== void 0) return Promise.resolve({ answer: answered });
    return new Promise((resolve) => {
      const waiting = (answer) => resolve({ answer });
      const open2 = this.#open.get(id);
      if (open2 !== void 0) {
        open2.waiting.push(waiting);
        return;
      }
      const question = {
        id,
        tabId,
        act: asked.act,
        agent: plain(asked.agent) || "An agent",
        what: plain(asked.what),
        site: siteOf(grant.url) ?? grant.site
      };
      const timer = setTimeout(() => this.#end(id, "timeout"), timeoutMs);
      this.#open.set(id, { question, documentId: grant.documentId, since: performance.now(), waiting: [waiting], timer });
      void notify(question);
      this.#changed(tabId);
    });
  }
  /** The person's word, from the popup or a notification. */
  answer(id, allow) {
    const open2 = this.#open.get(id);
    if (open2 === void 0 || performance.now() - open2.since < SEEN_MS) return;
    this.#end(id, allow ? "allow" : "deny");
  }
  /** The daemon does not wait any more. */
  withdraw(id) {
    this.#end(id, "gone");
  }
  /** The page that was asked about is gone, or not connected any more; now it shows that document. */
  gone(tabId, now) {
    for (const [id, { question, documentId }] of this.#open) if (question.tabId === tabId && documentId !== now) this.#end(id, "gone");
  }
  /** A press on a notification: its buttons answer, its body shows the page with the popup. */
  async pressed(notification, button) {
    if (!notification.startsWith(PREFIX)) return;
    const id = notification.slice(PREFIX.length);
    const open2 = this.#open.get(id);
    if (open2 === void 0) return clear(notification);
    if (button !== null) return this.answer(id, button === 0);
    const tab = await chrome.tabs.update(open2.question.tabId, { active: true });
    if (tab?.windowId !== void 0) await chrome.windows.update(tab.windowId, { focused: true });
    await chrome.action.openPopup();
  }
  /** Takes away what a worker before this one asked. */
  async start() {
    const shown2 = Object.keys(await chrome.notifications.getAll());
    for (const id of shown2) if (id.startsWith(PREFIX) && !this.#open.has(id.slice(PREFIX.length))) clear(id);
  }
  #end(id, answer) {
    const open2 = this.#open.get(id);
    if (open2 === void 0) return;
    clearTimeout(open2.timer);
    this.#open.delete(id);
    this.#answered.set(id, answer);
    for (const oldest of this.#answered.keys()) {
      if (this.#answered.size <= KEPT) break;
      this.#answered.delete(oldest);
    }
    clear(PREFIX + id);
    for (const tell of open2.waiting) tell(answer);
    this.#changed(open2.question.tabId);
  }
};
function wants({ act, site }) {
  return `wants to ${ACTS[act] ?? "act on"} ${site}`;
}
async function notify(question) {
  try {
    await chrome.notifications.create(PREFIX + question.id, {
      type: "basic",
      iconUrl: chrome.runtime.getURL("icons/128.png"),
      title: `${question.agent} ${wants(question)}`,
      message: question.what,
      buttons: [{ title: "Allow once" }, { title: "Deny" }],
      requireInteraction: true
    });
  } catch (error) {
    console.debug("no notification", messageOf(error));
  }
}
function clear(notification) {
  void chrome.notifications.clear(notification).catch(() => void 0);
}
function plain(text2) {
  return text2.replace(new RegExp("\\p{C}", "gu"), "").replace(/\s+/gu, " ").trim().slice(0, MAX_TEXT).toWellFormed();
}

// src/content/messages.ts
var BRIDGE_PORT = "bridge";
var CONSOLE_SWITCH = "__debugBridgeConsole";
var CONSOLE_MARK = "__debugBridgeMark";
function decode(value) {
  if (!isRecord(value)) return null;
  switch (value.kind) {
    case "ready":
      return typeof value.nonce === "string" && /^[a-z0-9-]{16,64}$/.test(value.nonce) ? { kind: "ready", nonce: value.nonce } : null;
    case "resending":
      return { kind: "resending" };
    case "telemetry":
      return isCount(value.first) && Array.isArray(value.messages) && value.messages.every(isMessage) ? { kind: "telemetry", first: value.first, messages: value.messages } : null;
    case "result":
      return isCount(value.id) && isResult(value.result) ? { kind: "result", id: value.id, result: value.result } : null;
    case "fault": {
      if (!isCount(value.id) || typeof value.code !== "string" || typeof value.message !== "string") return null;
      const fault = { kind: "fault", id: value.id, code: value.code, message: value.message };
      if (isRecord(value.details)) fault.details = value.details;
      if (Array.isArray(value.suggestions)) fault.suggestions = value.suggestions.filter((line) => typeof line === "string");
      return fault;
    }
    case "acted":
      return isCount(value.id) ? { kind: "acted", id: value.id } : null;
    case "sdk":
      return typeof value.appId === "string" && value.appId.length <= 128 ? { kind: "sdk", appId: value.appId } : null;
    default:
      return null;
  }
}
function isCount(value) {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
function isMessage(value) {
  return isRecord(value) && typeof value.type === "string" && typeof value.timestamp === "number";
}
function isResult(value) {
  return isRecord(value) && (value.effect === "changed" || value.effect === "noop" || value.effect === "navigated" || value.effect === "unknown");
}
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/background/console-lane.ts
var GATED = /* @__PURE__ */ new Set(["Runtime.consoleAPICalled", "Runtime.exceptionThrown"]);
var MARK_MS = 3e3;
var SWITCH_MS = 1e3;
var MAX_HEARD = 200;
var MAX_KEPT = 2e3;
var ConsoleLane = class {
  #deps;
  #sessions = /* @__PURE__ */ new Map();
  #gates = /* @__PURE__ */ new Map();
  #marked = /* @__PURE__ */ new Set();
  /** By document (its bridge's nonce): the time of its last line that went to the daemon. */
  #heard = /* @__PURE__ */ new Map();
  #active = false;
  /** An earlier life of the worker had the console, and this one has not enabled Runtime yet. */
  #adopting;
  #adopted;
  /** Lines up to this time are known to the daemon (ms since the epoch, as the browser counts). */
  #known;
  /** knownUntil: when an earlier attachment of the tab let go; adopted: it is still the one of an earlier life of the worker. */
  constructor(deps, knownUntil, adopted) {
    this.#deps = deps;
    this.#known = knownUntil;
    this.#adopting = this.#adopted = adopted;
  }
  /** Whether documents that begin now leave their hook off. */
  get active() {
    return this.#active;
  }
  /** Sees every event of the tab first; true when it was kept back. */
  onEvent(sessionId, method, params) {
    const session = this.#session(sessionId);
    switch (method) {
      case "Runtime.executionContextCreated":
        this.#contextCreated(sessionId, session, params);
        return false;
      case "Runtime.executionContextDestroyed": {
        const id = params.executionContextId;
        if (typeof id === "number") session.contexts.delete(id);
        return false;
      }
      case "Runtime.executionContextsCleared":
        session.contexts.clear();
        return false;
      case "Runtime.bindingCalled":
        return params.name === CONSOLE_MARK && this.#mark(session, params);
    }
    if (!GATED.has(method)) return false;
    if (this.#adopting) {
      this.#known = Math.max(this.#known, timeOf(params));
      return false;
    }
    const frameId = frameOf(session, params);
    if (frameId === void 0) return !this.#active;
    const gate = this.#gates.get(frameId);
    if (!gate) return !this.#active;
    if (gate.state === "open" && gate.nonce !== void 0) this.#hear(gate.nonce, timeOf(params));
    if (gate.state !== "waiting") return gate.state === "shut";
    gate.kept.push({ sessionId, method, params });
    if (gate.kept.length > MAX_KEPT) gate.kept.shift();
    return true;
  }
  /** The debugger takes the console over from the hooks, in one session of the tab. */
  async take(sessionId) {
    this.#active = true;
    const session = this.#session(sessionId);
    if (this.#adopting && sessionId === void 0) {
      this.#known = Math.max(this.#known, Date.now());
      await this.#deps.send(sessionId, "Runtime.disable", {});
      session.contexts.clear();
      this.#adopting = false;
    }
    await Promise.all([
      this.#deps.send(sessionId, "Runtime.addBinding", { name: CONSOLE_MARK, executionContextName: WORLD_NAME }),
      this.#deps.send(sessionId, "Runtime.enable", {})
    ]);
    session.taken = true;
  }
  /** The hooks take the console back; after this the debugger may go. */
  async giveBack() {
    if (!this.#active) return;
    await this.#deps.installHooks();
    this.#active = false;
    const ours = [...this.#sessions].flatMap(
      ([key, session]) => [...session.contexts.values()].filter((context) => context.isOurs).map((context) => ({ sessionId: key === "" ? void 0 : key, context }))
    );
    await Promise.all(ours.map(({ sessionId, context }) => this.#switch(sessionId, context.id, false)));
    const marked = () => ours.every(({ context }) => this.#gates.get(context.frameId)?.state === "shut");
    if (!marked()) await this.#until(marked);
    this.dispose();
  }
  dispose() {
    for (const gate of this.#gates.values()) if (gate.state === "waiting") clearTimeout(gate.timer);
    this.#gates.clear();
    this.#active = false;
  }
  /** Contexts of a session again, for an agent that enables Runtime, which is on already. */
  contexts(sessionId) {
    const session = this.#sessions.get(sessionId ?? "");
    return session?.taken ? [...session.contexts.values()].map((context) => context.event) : null;
  }
  sessionGone(sessionId) {
    this.#sessions.delete(sessionId);
  }
  #contextCreated(sessionId, session, params) {
    const context = asRecord(params.context);
    const aux = asRecord(context.auxData);
    if (typeof context.id !== "number" || typeof aux.frameId !== "string") return;
    const isOurs = aux.isDefault !== true && context.origin === location.origin;
    const { id } = context;
    const { frameId } = aux;
    session.contexts.set(id, { id, frameId, isOurs, event: params });
    if (!this.#active) return;
    if (aux.isDefault === true) this.#wait(frameId, session.taken);
    if (isOurs) void this.#switch(sessionId, id, true);
  }
  /** A document begins, or was there before us: its gate waits for the mark of its bridge. */
  #wait(frameId, isNew) {
    const before = this.#gates.get(frameId);
    if (before?.state === "waiting") {
      clearTimeout(before.timer);
      if (isNew) this.#flush(before.kept);
    }
    const timer = setTimeout(() => {
      const gate = this.#gates.get(frameId);
      if (gate?.state !== "waiting" || gate.timer !== timer) return;
      this.#gates.set(frameId, { state: "open" });
      if (isNew) this.#flush(gate.kept);
    }, MARK_MS);
    this.#gates.set(frameId, { state: "waiting", kept: [], timer, isNew });
  }
  /** A bridge switched its hook, here in the stream. */
  #mark(session, params) {
    const context = typeof params.executionContextId === "number" ? session.contexts.get(params.executionContextId) : void 0;
    const mark = readMark(params.payload);
    if (!context?.isOurs || !mark) return true;
    const gate = this.#gates.get(context.frameId);
    if (!mark.byCdp) {
      this.#gates.set(context.frameId, { state: "shut" });
    } else {
      if (gate?.state === "waiting") clearTimeout(gate.timer);
      this.#gates.set(context.frameId, { state: "open", nonce: mark.nonce });
      if (gate?.state === "waiting" && !mark.wasOn && (gate.isNew || this.#adopted || this.#deps.bornByCdp(mark.nonce))) this.#flush(gate.kept, mark.nonce);
      if (gate?.state === "waiting" && mark.wasOn && mark.since !== null) {
        const from = this.#deps.grantedAt();
        const { since } = mark;
        this.#flush(gate.kept.filter((event2) => timeOf(event2.params) >= from && timeOf(event2.params) < since), mark.nonce);
      }
    }
    for (const done of [...this.#marked]) done();
    return true;
  }
  #flush(kept, nonce) {
    const known = Math.max(this.#known, nonce === void 0 ? 0 : this.#heard.get(nonce) ?? 0);
    for (const event2 of kept) {
      const time = timeOf(event2.params);
      if (time <= known) continue;
      if (nonce !== void 0) this.#hear(nonce, time);
      this.#deps.forward(event2);
    }
  }
  #hear(nonce, time) {
    const before = this.#heard.get(nonce) ?? 0;
    this.#heard.delete(nonce);
    this.#heard.set(nonce, Math.max(before, time));
    if (this.#heard.size > MAX_HEARD) for (const oldest of this.#heard.keys()) {
      this.#heard.delete(oldest);
      break;
    }
  }
  async #switch(sessionId, contextId, byCdp) {
    const expression = `void globalThis[${JSON.stringify(CONSOLE_SWITCH)}]?.(${String(byCdp)})`;
    await withDeadline(this.#deps.send(sessionId, "Runtime.evaluate", { expression, contextId, silent: true }), SWITCH_MS, () => new Error("no answer")).catch(
      () => void 0
      // the context went away, and its console with it; or its page is stuck and writes nothing
    );
  }
  #until(done) {
    return new Promise((resolve) => {
      const look = () => {
        if (!done()) return;
        end();
      };
      const end = () => {
        clearTimeout(timer);
        this.#marked.delete(look);
        resolve();
      };
      const timer = setTimeout(end, SWITCH_MS);
      this.#marked.add(look);
    });
  }
  #session(sessionId) {
    const key = sessionId ?? "";
    let session = this.#sessions.get(key);
    if (!session) this.#sessions.set(key, session = { contexts: /* @__PURE__ */ new Map(), taken: false });
    return session;
  }
};
var WORLD_NAME = chrome.runtime.getManifest().name;
function frameOf(session, params) {
  const id = params.executionContextId ?? asRecord(params.exceptionDetails).executionContextId;
  return typeof id === "number" ? session.contexts.get(id)?.frameId : void 0;
}
function readMark(payload) {
  if (typeof payload !== "string") return null;
  try {
    const mark = asRecord(JSON.parse(payload));
    return typeof mark.nonce === "string" ? { nonce: mark.nonce, wasOn: mark.wasOn === true, byCdp: mark.byCdp === true, since: typeof mark.since === "number" ? mark.since : null } : null;
  } catch {
    return null;
  }
}
function timeOf(params) {
  return typeof params.timestamp === "number" ? params.timestamp : 0;
}
function asRecord(value) {
  return typeof value === "object" && value !== null ? value : {};
}

// src/background/cdp-policy.ts
var DENIED = /* @__PURE__ */ new Map([
  // Cookies of every site are one call away from any attached tab (httpOnly ones too).
  ["Network.getAllCookies", "it reads the cookies of every site"],
  ["Network.getCookies", "it reads cookies of any site it is asked for"],
  ["Network.setCookie", "it writes cookies of any site"],
  ["Network.setCookies", "it writes cookies of any site"],
  ["Network.deleteCookies", "it deletes cookies of any site"],
  ["Network.clearBrowserCookies", "it deletes the cookies of the whole browser"],
  ["Network.clearBrowserCache", "it empties the cache of the whole browser"],
  ["Network.loadNetworkResource", "it loads any address with the person\u2019s credentials"],
  ["Page.getCookies", "it reads cookies of any site it is asked for"],
  ["Page.deleteCookie", "it deletes cookies of any site"],
  ["Storage.*", "it reaches the storage and the cookies of any site"],
  ["CacheStorage.*", "it reaches the caches of any site"],
  ["IndexedDB.*", "it reaches the databases of any site"],
  // Files and downloads.
  ["DOM.setFileInputFiles", "it gives files of this computer to the page"],
  ["Page.setDownloadBehavior", "it decides where downloads go"],
  ["Page.handleFileChooser", "it gives files of this computer to the page"],
  // Other tabs and the browser.
  ["Target.*", "it reaches targets outside this tab"],
  ["Browser.*", "it reaches the whole browser"],
  ["SystemInfo.*", "it tells of the person\u2019s computer"],
  // Credentials.
  ["Fetch.continueWithAuth", "it answers sign-in prompts"],
  ["WebMCP.invokeTool", "the person allows a page\u2019s tools by site; use tools call"],
  ["WebAuthn.*", "it replaces the person\u2019s security keys"]
]);
var NAVIGATES = /* @__PURE__ */ new Map([
  ["Page.navigate", "url"]
]);
var KEPT_ON = /* @__PURE__ */ new Set(["Inspector.disable", "Page.disable", "Runtime.disable"]);
var METHOD = /^[A-Z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/;
function checkMethod(method, params, checkURL) {
  if (!METHOD.test(method)) {
    throw new Fault("CDP_ERROR", `'${method}' wasn't found`, { details: { method, cdp: { code: -32601, message: `'${method}' wasn't found` } } });
  }
  const domain = method.slice(0, method.indexOf(".") + 1);
  const reason = DENIED.get(method) ?? DENIED.get(domain + "*");
  if (reason !== void 0) {
    throw new Fault("POLICY_DENIED", `${method} is not allowed through the extension: ${reason}.`, {
      details: { method },
      suggestions: ["Use a managed browser (its own profile) for this, or a command that stays within the page."]
    });
  }
  if (method === "Input.dispatchDragEvent" && dragsFiles(params)) {
    throw new Fault("POLICY_DENIED", "A drag gives no files of this computer to the page.", { details: { method } });
  }
  const parameter = NAVIGATES.get(method);
  if (parameter === void 0) return;
  const url = params[parameter];
  if (typeof url === "string") checkURL(url);
}
function dragsFiles({ data }) {
  if (typeof data !== "object" || data === null) return false;
  const { files } = data;
  return files !== void 0 && !(Array.isArray(files) && files.length === 0);
}

// src/background/debugger-faults.ts
var NOT_ATTACHED = "not_attached";
function disconnected(message, reason, details = {}, retryable = false) {
  return new Fault("CDP_DISCONNECTED", message, { details: { reason, ...details }, ...retryable ? { retryable } : {} });
}
function dialogBlocking(dialog, dispatched) {
  return new Fault("DIALOG_BLOCKING", `The page shows a ${dialog.kind} dialog; nothing runs until it is handled.`, {
    details: { dialog: { kind: dialog.kind, message: dialog.message, url: dialog.url }, dispatched },
    suggestions: ["Handle it with Page.handleJavaScriptDialog, or ask the person to."]
  });
}
function attachFault(error) {
  const message = messageOf(error);
  if (/already attached/i.test(message)) {
    return new Fault("BUSY", "Another debugger holds this tab.", { details: { reason: "debugger_busy", chrome: message }, retryable: true });
  }
  if (/different extension/i.test(message)) {
    return new Fault("CAPABILITY_MISSING", "Another extension put a frame into this page (password managers do), and Chrome then lets nobody debug it.", {
      details: { reason: "foreign_extension_frame" },
      suggestions: ["The commands without debugger still work: click, type, request_ui_tree, \u2026", "Or ask the person to switch the other extension off for this site."]
    });
  }
  if (/Cannot (access|attach)/i.test(message)) {
    return new Fault("CAPABILITY_MISSING", "Chrome lets no debugger onto this page.", { details: { reason: "restricted", chrome: message } });
  }
  return new Fault("CDP_DISCONNECTED", "The debugger could not be attached.", { details: { reason: "attach_failed", chrome: message } });
}
function commandFault(method, error) {
  const message = messageOf(error);
  if (/not attached to the tab/i.test(message)) return disconnected("The debugger is not attached any more.", NOT_ATTACHED, { method, dispatched: false });
  if (/Detached while handling|No tab with given id|Target closed/i.test(message)) {
    return disconnected("The debugger was detached while the command ran.", "detached", { method, dispatched: true });
  }
  let cdp;
  try {
    cdp = JSON.parse(message);
  } catch {
    cdp = null;
  }
  const known = typeof cdp === "object" && cdp !== null && "message" in cdp ? cdp : { code: -32e3, message };
  if ("code" in known && known.code === -32601) {
    return new Fault("CAPABILITY_MISSING", `Chrome gives ${method} to no extension.`, {
      details: { method, cdp: known },
      suggestions: ["Check the name of the method, or use a managed or remote browser, which has all of CDP."]
    });
  }
  return new Fault("CDP_ERROR", `${method} failed.`, { details: { method, cdp: known } });
}

// src/background/debugger.ts
var PROTOCOL = "1.3";
var ATTACH_MS = 5e3;
var ENABLE_MS = 3e3;
var ADOPT_MS = 2e3;
var REATTACH_AFTER_MS = 3e3;
var DIALOG_GRACE_MS = 300;
var DEFAULT_TIMEOUT_MS = 3e4;
var DROP_ABOVE = 48 << 20;
var DebuggerLane = class {
  #attachments = /* @__PURE__ */ new Map();
  #attaching = /* @__PURE__ */ new Map();
  #notBefore = /* @__PURE__ */ new Map();
  /** When the debugger last left a tab: lines of before are told already. */
  #letGo = /* @__PURE__ */ new Map();
  /** A command found these tabs without the debugger before Chrome told of it. */
  #untold = /* @__PURE__ */ new Set();
  #grants;
  #frames;
  #settings;
  #out;
  #hooks;
  #idleTimer;
  #adopted = Promise.resolve();
  #daemon = "";
  constructor(grants2, frames2, settings2, out2, hooks) {
    this.#grants = grants2;
    this.#frames = frames2;
    this.#settings = settings2;
    this.#out = out2;
    this.#hooks = hooks;
  }
  /** Finds what an earlier life of the worker left attached. */
  start() {
    this.#adopted = this.#adopt();
    return this.#adopted;
  }
  async #adopt() {
    const targets = await chrome.debugger.getTargets().catch(() => []);
    await Promise.all(
      targets.map(async (target) => {
        if (!target.attached || target.tabId === void 0) return;
        const tabId = target.tabId;
        const grant = this.#grants.get(tabId);
        if (grant?.level === "control" && grant.paused === null && this.#settings.current.debuggerMode !== "never") {
          const attachment = this.#attachment(tabId, true);
          this.#attachments.set(tabId, attachment);
          try {
            await withDeadline(sendCommand({ tabId }, "Inspector.enable", {}), ADOPT_MS, () => new Error("slow"));
          } catch (error) {
            if (messageOf(error) !== "slow") {
              this.#attachments.delete(tabId);
              return;
            }
          }
          attachment.ready = this.#enable(attachment, true);
          await withDeadline(attachment.ready, ADOPT_MS, () => new Error("slow")).catch(() => void 0);
          return;
        }
        await chrome.debugger.detach({ tabId }).catch(() => void 0);
      })
    );
    this.#watchIdle();
  }
  /** Whether documents of the tab leave their console to the debugger; waits until the worker knows. */
  async consoleByCdp(tabId) {
    await this.#adopted;
    return this.#attachments.get(tabId)?.lane.active ?? false;
  }
  attached(tabId) {
    return this.#attachments.has(tabId);
  }
  /** One CDP command of an agent. */
  async send(call) {
    const { tabId, method, params } = call;
    this.#grants.require(tabId, "control");
    if (call.own !== true) checkMethod(method, params, (url) => this.#hooks.checkNavigation(tabId, url));
    const deadline = performance.now() + (call.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    try {
      return await this.#sendOnce(call, deadline);
    } catch (error) {
      if (!(error instanceof Fault) || error.details?.reason !== NOT_ATTACHED) throw error;
      return this.#sendOnce(call, deadline);
    }
  }
  async #sendOnce({ tabId, sessionId, method, params, patient = false }, deadline) {
    const attachment = await this.acquire(tabId);
    this.#grants.require(tabId, "control");
    if (sessionId !== void 0) this.#checkChild(attachment, sessionId);
    if (attachment.crashed) throw disconnected("The page crashed.", "crashed");
    if (attachment.dialog && !patient && method !== "Page.handleJavaScriptDialog") throw dialogBlocking(attachment.dialog, false);
    if (KEPT_ON.has(method)) return {};
    if (method === "Runtime.enable") {
      const contexts = attachment.lane.contexts(sessionId);
      if (contexts) {
        for (const context of contexts) this.#out.emit("cdp.event", event(tabId, sessionId, "Runtime.executionContextCreated", context));
        return {};
      }
    }
    return this.#run(attachment, { sessionId, method, params, patient }, deadline);
  }
  /** The tab's attachment, made if there is none, with its domains enabled. */
  async acquire(tabId) {
    await this.#adopted;
    for (; ; ) {
      const attachment = this.#attachments.get(tabId) ?? await this.#attach(tabId);
      if (attachment.leaving) {
        await attachment.leaving;
        continue;
      }
      attachment.lastUsed = performance.now();
      await withDeadline(
        attachment.ready,
        ENABLE_MS,
        () => attachment.dialog ? dialogBlocking(attachment.dialog, false) : new Fault("DIALOG_BLOCKING", "The page does not take commands: a dialog that opened before the debugger came is waiting, or a script never ends.", {
          details: { tabId, dispatched: false, openedBeforeAttach: true },
          suggestions: ["Ask the person to dismiss the dialog in that tab by hand.", "If there is none, the page is stuck: reload it with navigate."]
        })
      );
      if (this.#attachments.get(tabId) === attachment && !attachment.leaving) return attachment;
      if (!this.#attachments.has(tabId)) throw disconnected("The debugger was detached.", "detached");
    }
  }
  #attach(tabId) {
    let attaching = this.#attaching.get(tabId);
    if (!attaching) {
      attaching = this.#attachOnce(tabId).finally(() => this.#attaching.delete(tabId));
      this.#attaching.set(tabId, attaching);
    }
    return attaching;
  }
  async #attachOnce(tabId) {
    if (this.#settings.current.debuggerMode === "never") {
      throw new Fault("CAPABILITY_MISSING", "The person switched the debugger off in the options of Debug Bridge.", {
        details: { debuggerMode: "never" },
        suggestions: ["Use the commands that need no debugger (click, type, request_ui_tree, \u2026)."]
      });
    }
    const wait = (this.#notBefore.get(tabId) ?? 0) - performance.now();
    if (wait > 0) {
      throw disconnected("Chrome took the debugger off this tab a moment ago.", "cooldown", { retryAfterMs: wait }, true);
    }
    try {
      await withDeadline(chrome.debugger.attach({ tabId }, PROTOCOL), ATTACH_MS, () => new Error("Chrome did not attach the debugger in time."));
    } catch (error) {
      const ours = /already attached/i.test(messageOf(error)) && await answers(tabId);
      if (!ours) throw attachFault(error);
      const adopted = this.#attachment(tabId, true);
      this.#attachments.set(tabId, adopted);
      adopted.ready = this.#enable(adopted, true);
      return adopted;
    }
    const attachment = this.#attachment(tabId, false);
    this.#attachments.set(tabId, attachment);
    const grant = this.#grants.get(tabId);
    if (grant?.level !== "control" || grant.paused !== null) {
      await this.detach(tabId, "own");
      this.#grants.require(tabId, "control");
    }
    attachment.ready = this.#enable(attachment, false);
    this.#watchIdle();
    return attachment;
  }
  #attachment(tabId, adopted) {
    const attachment = {
      tabId,
      ready: Promise.resolve(),
      lane: new ConsoleLane({
        send: (sessionId, method, params) => sendCommand(debuggee(tabId, sessionId), method, params),
        forward: ({ sessionId, method, params }) => this.#forward(attachment, sessionId, method, params),
        bornByCdp: (nonce) => this.#frames().byNonce(tabId, nonce)?.bornByCdp ?? false,
        grantedAt: () => this.#grants.get(tabId)?.since ?? Infinity,
        installHooks: async () => {
          await Promise.all(this.#frames().of(tabId).map((frame) => this.#frames().installHook(frame)));
        }
      }, this.#letGo.get(tabId) ?? 0, adopted),
      inflight: /* @__PURE__ */ new Set(),
      dialog: null,
      crashed: false,
      lastUsed: performance.now(),
      children: /* @__PURE__ */ new Map(),
      leaving: null,
      dropped: /* @__PURE__ */ new Map()
    };
    return attachment;
  }
  /** What every attachment has on: crashes, dialogs and child frames are told, the console is taken over. */
  async #enable(attachment, adopted) {
    const target = { tabId: attachment.tabId };
    try {
      if (adopted) await sendCommand(target, "Target.setAutoAttach", { autoAttach: false, waitForDebuggerOnStart: false, flatten: true });
      await Promise.all([
        sendCommand(target, "Inspector.enable", {}),
        sendCommand(target, "Page.enable", {}),
        sendCommand(target, "Target.setAutoAttach", AUTO_ATTACH),
        this.#wantsConsole() ? attachment.lane.take(void 0) : Promise.resolve()
      ]);
    } catch (error) {
      console.debug("debugger domains not enabled", attachment.tabId, messageOf(error));
    }
  }
  #wantsConsole() {
    const { console: lines, errors } = this.#settings.current.telemetry;
    return lines || errors;
  }
  #run(attachment, call, deadline) {
    const { sessionId, method, params, patient } = call;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        inflight.reject(new Fault("TIMEOUT", `${method} did not answer in time.`, { details: { method, dispatched: true } }));
      }, Math.max(0, deadline - performance.now()));
      const done = () => {
        clearTimeout(timer);
        attachment.inflight.delete(inflight);
        attachment.lastUsed = performance.now();
      };
      const inflight = {
        method,
        patient,
        reject: (fault) => {
          done();
          reject(fault);
        }
      };
      attachment.inflight.add(inflight);
      sendCommand(debuggee(attachment.tabId, sessionId), method, params).then(
        (result) => {
          done();
          resolve(result ?? {});
        },
        (error) => {
          const fault = commandFault(method, error);
          inflight.reject(fault);
          if (fault.details?.reason !== NOT_ATTACHED || this.#attachments.get(attachment.tabId) !== attachment) return;
          this.#untold.add(attachment.tabId);
          this.#drop(attachment.tabId, "target_closed");
        }
      );
    });
  }
  /** An event from Chrome. */
  onEvent(source, method, raw) {
    if (source.tabId === void 0) return;
    const attachment = this.#attachments.get(source.tabId);
    if (!attachment) return;
    const params = raw ?? {};
    const { tabId } = attachment;
    switch (method) {
      case "Page.frameNavigated": {
        const frame = params.frame ?? {};
        const url = text(frame.unreachableUrl) || text(frame.url);
        if (source.sessionId === void 0 && frame.parentId === void 0 && url !== "") this.#hooks.committed(tabId, url);
        break;
      }
      case "Inspector.targetCrashed":
        if (source.sessionId === void 0) {
          attachment.crashed = true;
          this.#failAll(attachment, disconnected("The page crashed.", "crashed"));
          this.#hooks.crashed(tabId);
        }
        break;
      case "Inspector.targetReloadedAfterCrash":
        attachment.crashed = false;
        break;
      case "Page.javascriptDialogOpening":
        this.#dialogOpened(attachment, { kind: text(params.type), message: text(params.message), url: text(params.url) });
        break;
      case "Page.javascriptDialogClosed":
        if (attachment.dialog?.kind === "beforeunload" && params.result === false) this.#hooks.stayed(tabId, attachment.dialog.url);
        attachment.dialog = null;
        break;
      case "Target.attachedToTarget":
        this.#childAttached(attachment, source.sessionId, params);
        break;
      case "Target.targetInfoChanged": {
        const info = params.targetInfo ?? {};
        for (const child of attachment.children.values()) if (child.targetInfo.targetId === info.targetId) child.targetInfo = info;
        break;
      }
      case "Target.detachedFromTarget":
        attachment.children.delete(text(params.sessionId));
        attachment.lane.sessionGone(text(params.sessionId));
        break;
    }
    if (this.#grants.get(tabId)?.paused !== null) return;
    if (attachment.lane.onEvent(source.sessionId, method, params)) return;
    this.#forward(attachment, source.sessionId, method, params);
  }
  #forward(attachment, sessionId, method, params) {
    const { tabId } = attachment;
    const telemetry = this.#settings.current.telemetry;
    if (method === "Runtime.consoleAPICalled" && !telemetry.console) return;
    if (method === "Runtime.exceptionThrown" && !telemetry.errors) return;
    if (!VITAL.has(method) && this.#out.queued > DROP_ABOVE) {
      attachment.dropped.set(method, (attachment.dropped.get(method) ?? 0) + 1);
      return;
    }
    if (attachment.dropped.size > 0) {
      this.#out.emit("cdp.event", event(tabId, void 0, "DebugBridge.dropped", { counts: Object.fromEntries(attachment.dropped) }));
      attachment.dropped.clear();
    }
    this.#out.emit("cdp.event", event(tabId, sessionId, method, params));
  }
  #childAttached(attachment, parentSessionId, params) {
    const sessionId = text(params.sessionId);
    const targetInfo = params.targetInfo ?? {};
    attachment.children.set(sessionId, { sessionId, parentSessionId, targetInfo });
    const target = debuggee(attachment.tabId, sessionId);
    void Promise.all([
      sendCommand(target, "Target.setAutoAttach", AUTO_ATTACH),
      attachment.lane.active && this.#wantsConsole() ? attachment.lane.take(sessionId) : Promise.resolve()
    ]).catch((error) => console.debug("child frame not enabled", messageOf(error)));
  }
  #checkChild(attachment, sessionId) {
    const child = attachment.children.get(sessionId);
    if (!child) throw new Fault("CDP_ERROR", "No such CDP session in this tab.", { details: { cdp: { code: -32001, message: "Session with given id not found." } } });
    const url = text(child.targetInfo.url);
    const why = this.#settings.forbidden(url);
    if (why !== null) throw new Fault("POLICY_DENIED", "The person forbids agents on the site of this frame.", { details: { url } });
  }
  #dialogOpened(attachment, dialog) {
    attachment.dialog = dialog;
    const leave = dialog.kind === "beforeunload" ? this.#hooks.leaving(attachment.tabId) : void 0;
    if (leave !== void 0) {
      sendCommand({ tabId: attachment.tabId }, "Page.handleJavaScriptDialog", { accept: leave }).catch((error) => console.debug("dialog not answered", messageOf(error)));
      return;
    }
    const caught = [...attachment.inflight];
    setTimeout(() => {
      if (attachment.dialog !== dialog) return;
      for (const inflight of caught) {
        if (attachment.inflight.has(inflight) && !inflight.patient && inflight.method !== "Page.handleJavaScriptDialog") inflight.reject(dialogBlocking(dialog, true));
      }
    }, DIALOG_GRACE_MS);
  }
  /** Chrome detached us: the tab closed, the person pressed Cancel, or something it will not say. */
  onDetach(source, reason) {
    const tabId = source.tabId;
    if (tabId === void 0 || !this.#untold.delete(tabId) && !this.#attachments.has(tabId)) return;
    const known = reason === "canceled_by_user" || reason === "replaced_with_devtools" ? reason : "target_closed";
    this.#drop(tabId, known);
    this.#hooks.detached(tabId, known);
  }
  /** Chrome dropped us from a living tab and will again: the next attach waits. */
  coolDown(tabId) {
    this.#notBefore.set(tabId, performance.now() + REATTACH_AFTER_MS);
  }
  /** A new document: what closed us out of the last one may be gone. */
  warmUp(tabId) {
    this.#notBefore.delete(tabId);
  }
  /** Lets go of a tab. handOver gives the console back to the page's hook first. */
  async detach(tabId, reason, handOver = false) {
    const attachment = this.#attachments.get(tabId);
    if (!attachment) return;
    attachment.leaving ??= (async () => {
      if (handOver) await withDeadline(attachment.lane.giveBack(), ENABLE_MS, () => new Error("slow")).catch(() => void 0);
      const off = chrome.debugger.detach({ tabId }).catch(() => void 0);
      this.#drop(tabId, reason);
      await off;
      if (handOver) for (const frame of this.#frames().of(tabId)) frame.post({ kind: "console", byCdp: false });
    })();
    await attachment.leaving;
  }
  async detachAll() {
    await Promise.all([...this.#attachments.keys()].map((tabId) => this.detach(tabId, "own")));
  }
  /** The tab closed or changed its id: Chrome ends the attachment by itself. */
  forget(tabId) {
    this.#notBefore.delete(tabId);
    this.#untold.delete(tabId);
    this.#letGo.delete(tabId);
    if (this.#attachments.has(tabId)) this.#drop(tabId, "target_closed");
  }
  #drop(tabId, reason) {
    const attachment = this.#attachments.get(tabId);
    if (!attachment) return;
    this.#attachments.delete(tabId);
    this.#letGo.set(tabId, Date.now());
    attachment.lane.dispose();
    for (const frame of this.#frames().of(tabId)) frame.bornByCdp = false;
    this.#failAll(attachment, disconnected("The debugger was detached while the command ran.", reason, { dispatched: true }));
    this.#out.emit("cdp.detached", { tabId, reason });
  }
  #failAll(attachment, fault) {
    for (const inflight of [...attachment.inflight]) inflight.reject(fault);
  }
  /** cdp.hold {tabId, on}: while it is held the debugger stays, idle or not. */
  async hold(tabId, on) {
    this.#grants.require(tabId, "control");
    await this.#grants.update(tabId, { held: on ? this.#daemon : "" });
    if (on) await this.acquire(tabId);
    this.#watchIdle();
  }
  /** The daemon that is there, by its epoch; none when it is not and will not come. What another one held nobody else lets go. */
  async daemonIs(epoch) {
    this.#daemon = epoch;
    const orphans = this.#grants.all().filter(({ held }) => held && held !== epoch);
    await Promise.all(orphans.map(({ tabId }) => this.#grants.update(tabId, { held: "" })));
    if (epoch === "") for (const tabId of this.#attachments.keys()) void this.detach(tabId, "own", true);
    else this.#watchIdle();
  }
  /** cdp.targets {tabId}: Chrome's id of the tab's target, and the children that it is attached to. Attaches nothing. */
  async targets(tabId) {
    this.#grants.require(tabId, "control");
    const target = (await chrome.debugger.getTargets()).find((candidate) => candidate.tabId === tabId);
    if (!target) throw disconnected("The tab has no target.", "target_closed");
    return { targetId: target.id, children: [...this.#attachments.get(tabId)?.children.values() ?? []] };
  }
  /** Modes and telemetry may have changed. */
  settingsChanged() {
    const { debuggerMode } = this.#settings.current;
    if (debuggerMode === "never") for (const tabId of this.#attachments.keys()) void this.detach(tabId, "own", true);
    this.#watchIdle();
  }
  /** Lets go of what nobody used for the set time; also called by the alarm. */
  #watchIdle() {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = void 0;
    if (this.#attachments.size === 0 || this.#settings.current.debuggerMode === "always") return;
    const idleMs = this.#settings.current.idleSeconds * 1e3;
    let next = idleMs;
    for (const attachment of this.#attachments.values()) {
      const left = attachment.inflight.size > 0 ? idleMs : attachment.lastUsed + idleMs - performance.now();
      if (this.#grants.get(attachment.tabId)?.held) continue;
      if (left <= 0) void this.detach(attachment.tabId, "idle", true);
      else next = Math.min(next, left);
    }
    this.#idleTimer = setTimeout(() => this.#watchIdle(), next + 10);
  }
  tick() {
    this.#watchIdle();
  }
};
var AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: [{ type: "iframe", exclude: false }] };
var VITAL = /* @__PURE__ */ new Set(["Page.javascriptDialogOpening", "Page.javascriptDialogClosed", "Inspector.targetCrashed", "Target.attachedToTarget", "Target.detachedFromTarget"]);
function debuggee(tabId, sessionId) {
  return sessionId === void 0 ? { tabId } : { tabId, sessionId };
}
async function sendCommand(target, method, params) {
  return chrome.debugger.sendCommand(target, method, params);
}
async function answers(tabId) {
  try {
    await withDeadline(sendCommand({ tabId }, "Inspector.enable", {}), ADOPT_MS, () => new Error("slow"));
    return true;
  } catch {
    return false;
  }
}
function event(tabId, sessionId, method, params) {
  return sessionId === void 0 ? { tabId, method, params } : { tabId, sessionId, method, params };
}
function text(value) {
  return typeof value === "string" ? value : "";
}

// src/background/early.ts
var BRIDGE_ID = "always-bridge";
var HOOK_ID = "always-hook";
var APP_ID = "always-app";
var queue = Promise.resolve();
function registerEarly(settings2) {
  queue = queue.then(() => register(settings2)).catch((error) => console.warn("always-connect scripts not registered", messageOf(error)));
  return queue;
}
async function register(settings2) {
  const ids = [BRIDGE_ID, HOOK_ID, APP_ID];
  const old = await chrome.scripting.getRegisteredContentScripts({ ids });
  if (old.length > 0) await chrome.scripting.unregisterContentScripts({ ids: old.map((script) => script.id) });
  const sites = settings2.halted ? [] : settings2.alwaysSites.filter((entry) => !entry.suspended);
  const matches = [...new Set(sites.flatMap((entry) => matchPatterns(entry.site)))];
  if (matches.length === 0) return;
  const excludeMatches = settings2.deny.flatMap(matchPatterns);
  const common = {
    matches,
    ...excludeMatches.length > 0 ? { excludeMatches } : {},
    allFrames: true,
    matchOriginAsFallback: true,
    runAt: "document_start",
    persistAcrossSessions: true
  };
  const scripts = [{ ...common, id: BRIDGE_ID, js: ["content.js"], world: "ISOLATED" }];
  const { console: lines, errors, state } = settings2.telemetry;
  if (lines || errors) scripts.push({ ...common, id: HOOK_ID, js: ["mainworld.js"], world: "MAIN" });
  if (state) scripts.push({ ...common, id: APP_ID, js: ["app.js"], world: "MAIN" });
  await chrome.scripting.registerContentScripts(scripts);
}

// src/page/mainworld/hook.ts
function installMainHook(nonce, sink) {
  const maxText = 10240;
  const maxLine = 32768;
  const maxArgs = 64;
  const maxEntries = 50;
  const maxDepth = 3;
  const maxKept = 2e3;
  const giveUpAfter = 6e4;
  const { apply, ownKeys, getOwnPropertyDescriptor: describe, getPrototypeOf: protoOf, defineProperty: define } = Reflect;
  const { isArray } = Array;
  const { slice } = String.prototype;
  const { toString: numberText } = Number.prototype;
  const { toString: bigText } = BigInt.prototype;
  const { toString: symbolText } = Symbol.prototype;
  const { toISOString } = Date.prototype;
  const { hasOwnProperty: hasOwn } = Object.prototype;
  const now = Date.now;
  const later = setTimeout;
  const objectProto = Object.prototype;
  const arrayProto = Array.prototype;
  const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype;
  const { preventDefault } = Event.prototype;
  const MakeEvent = CustomEvent;
  const HookProxy = Proxy;
  const page2 = window;
  const sheet = console;
  const target = page2.visualViewport ?? page2;
  const has = (object, key) => apply(hasOwn, object, [key]);
  const getter = (object, key) => {
    const found = object === void 0 ? void 0 : describe(object, key);
    return found !== void 0 && has(found, "get") ? found.get : void 0;
  };
  const read = (get, from) => get === void 0 ? void 0 : apply(get, from, []);
  const detailOf = getter(CustomEvent.prototype, "detail");
  const errorFields = {
    message: getter(ErrorEvent.prototype, "message"),
    filename: getter(ErrorEvent.prototype, "filename"),
    lineno: getter(ErrorEvent.prototype, "lineno"),
    colno: getter(ErrorEvent.prototype, "colno"),
    error: getter(ErrorEvent.prototype, "error")
  };
  const reasonOf = getter(PromiseRejectionEvent.prototype, "reason");
  const stackOf = getter(new Error(), "stack");
  const nodeTypeOf = getter(Node.prototype, "nodeType");
  const nodeValueOf = getter(Node.prototype, "nodeValue");
  const localNameOf = getter(Element.prototype, "localName");
  const { getAttribute } = Element.prototype;
  const exceptionName = getter(DOMException.prototype, "name");
  const exceptionMessage = getter(DOMException.prototype, "message");
  const patternSource = getter(RegExp.prototype, "source");
  const patternFlags = getter(RegExp.prototype, "flags");
  const mapSize = getter(Map.prototype, "size");
  const setSize = getter(Set.prototype, "size");
  const mapEntries = Map.prototype.entries;
  const setValues = Set.prototype.values;
  const nextOfMap = (/* @__PURE__ */ new Map()).entries().next;
  const nextOfSet = (/* @__PURE__ */ new Set()).values().next;
  const bytesProto = protoOf(Uint8Array.prototype) ?? void 0;
  const bytesLength = getter(bytesProto, "length");
  const errorProto = Error.prototype;
  const exceptionProto = DOMException.prototype;
  const nodeProto = Node.prototype;
  const dateProto = Date.prototype;
  const patternProto = RegExp.prototype;
  const mapProto = Map.prototype;
  const setProto = Set.prototype;
  let left = 0;
  const cut = (text2, limit) => text2.length <= limit ? text2 : `${apply(slice, text2, [0, limit])}\u2026 [${text2.length - limit} more characters]`;
  const plain2 = (object, key) => {
    let at = object;
    for (let i = 0; i < 8 && at !== null; i++) {
      const found = describe(at, key);
      if (found !== void 0) return has(found, "value") ? found.value : void 0;
      at = protoOf(at);
    }
    return void 0;
  };
  const kindOf = (value) => {
    let at = protoOf(value);
    for (let i = 0; i < 12 && at !== null; i++) {
      if (at === objectProto || at === arrayProto) return at;
      if (at === errorProto || at === exceptionProto || at === nodeProto || at === dateProto || at === patternProto || at === mapProto || at === setProto || at === bytesProto) return at;
      at = protoOf(at);
    }
    return null;
  };
  const className = (value) => {
    const proto = protoOf(value);
    if (proto === objectProto || proto === null) return "";
    const maker = plain2(proto, "constructor");
    const name = typeof maker === "function" ? plain2(maker, "name") : void 0;
    return typeof name === "string" && name !== "Object" ? cut(name, 100) : "";
  };
  const stackText = (error) => {
    const found = describe(error, "stack");
    let stack;
    if (found !== void 0 && has(found, "value")) stack = found.value;
    else if (found !== void 0 && has(found, "get") && found.get === stackOf) stack = read(stackOf, error);
    return typeof stack === "string" ? cut(stack, maxText) : "";
  };
  const errorHead = (error) => {
    const isException = kindOf(error) === exceptionProto;
    const name = isException ? read(exceptionName, error) : plain2(error, "name");
    const message = isException ? read(exceptionMessage, error) : plain2(error, "message");
    const head = typeof name === "string" && name !== "" ? cut(name, 200) : "Error";
    return typeof message === "string" && message !== "" ? `${head}: ${cut(message, maxText)}` : head;
  };
  const errorText = (error, depth, chain) => {
    const head = errorHead(error);
    const stack = stackText(error);
    let out2 = stack === "" ? head : stack;
    const cause = describe(error, "cause");
    if (depth < maxDepth && cause !== void 0 && has(cause, "value")) out2 += `
[cause]: ${show(cause.value, depth + 1, chain)}`;
    return out2;
  };
  const nodeText = (node) => {
    const type = read(nodeTypeOf, node);
    if (type === 1) {
      const id = apply(getAttribute, node, ["id"]);
      const classes = apply(getAttribute, node, ["class"]);
      return `<${cut(`${read(localNameOf, node)}`, 100)}${id === null ? "" : ` id="${cut(id, 100)}"`}${classes === null ? "" : ` class="${cut(classes, 200)}"`}>`;
    }
    if (type === 3) return `#text "${cut(`${read(nodeValueOf, node)}`, 200)}"`;
    if (type === 9) return "#document";
    if (type === 11) return "#document-fragment";
    return "#node";
  };
  const keyText = (key) => typeof key === "symbol" ? `[${apply(symbolText, key, [])}]` : cut(`${key}`, 200);
  const listText = (value, length, depth, chain, name) => {
    const prefix = name === "" || name === "Array" ? "" : `${name}(${length}) `;
    if (depth >= maxDepth) return name === "" ? `Array(${length})` : `${name}(${length})`;
    let out2 = `${prefix}[`;
    let i = 0;
    for (; i < length && i < maxEntries && left > 0; i++) {
      const found = describe(value, i);
      out2 += i === 0 ? "" : ", ";
      out2 += found === void 0 ? "empty" : has(found, "value") ? show(found.value, depth + 1, chain) : "(...)";
    }
    return `${out2}${i < length ? `, \u2026 ${length - i} more` : ""}]`;
  };
  const collectionText = (value, isMap, depth, chain, name) => {
    const size = read(isMap ? mapSize : setSize, value);
    let out2 = `${name}(${size})`;
    if (depth >= maxDepth) return out2;
    out2 += " {";
    const walk2 = apply(isMap ? mapEntries : setValues, value, []);
    let i = 0;
    for (; i < size && i < maxEntries && left > 0; i++) {
      const step = apply(isMap ? nextOfMap : nextOfSet, walk2, []);
      if (step.done === true) break;
      out2 += i === 0 ? "" : ", ";
      if (isMap) {
        const pair = step.value;
        out2 += `${show(pair[0], depth + 1, chain)} => ${show(pair[1], depth + 1, chain)}`;
      } else out2 += show(step.value, depth + 1, chain);
    }
    return `${out2}${i < size ? `, \u2026 ${size - i} more` : ""}}`;
  };
  const objectText = (value, depth, chain) => {
    const name = className(value);
    const prefix = name === "" ? "" : `${name} `;
    if (depth >= maxDepth) return `${prefix}{\u2026}`;
    const keys = ownKeys(value);
    let out2 = `${prefix}{`;
    let shown2 = 0;
    let i = 0;
    for (; i < keys.length && shown2 < maxEntries && left > 0; i++) {
      const key = keys[i];
      const found = describe(value, key);
      if (found === void 0 || found.enumerable !== true) continue;
      out2 += shown2++ === 0 ? "" : ", ";
      out2 += `${keyText(key)}: ${has(found, "value") ? show(found.value, depth + 1, chain) : "(...)"}`;
    }
    return `${out2}${i < keys.length ? `, \u2026 ${keys.length - i} more` : ""}}`;
  };
  const compose = (value, depth, chain) => {
    for (let at = chain; at !== null; at = at.next) if (at.value === value) return "[Circular]";
    const inner = { value, next: chain };
    if (typeof value === "function") {
      const name = plain2(value, "name");
      return `\u0192 ${typeof name === "string" ? cut(name, 100) : ""}()`;
    }
    const kind = kindOf(value);
    if (kind === errorProto || kind === exceptionProto) return errorText(value, depth, inner);
    if (kind === nodeProto) return nodeText(value);
    if (kind === dateProto) return apply(toISOString, value, []);
    if (kind === patternProto) return `/${read(patternSource, value)}/${read(patternFlags, value)}`;
    if (kind === mapProto) return collectionText(value, true, depth, inner, className(value));
    if (kind === setProto) return collectionText(value, false, depth, inner, className(value));
    if (kind === bytesProto) return listText(value, read(bytesLength, value), depth, inner, className(value));
    if (isArray(value)) return listText(value, plain2(value, "length"), depth, inner, className(value));
    return objectText(value, depth, inner);
  };
  function show(value, depth, chain) {
    if (left <= 0) return "\u2026";
    let out2;
    try {
      switch (typeof value) {
        case "string":
          out2 = depth === 0 ? cut(value, maxText) : `"${cut(value, maxText)}"`;
          break;
        case "number":
          out2 = value === 0 && 1 / value < 0 ? "-0" : apply(numberText, value, []);
          break;
        case "bigint":
          out2 = value > 2n ** 4096n || value < -(2n ** 4096n) ? "[large BigInt]" : `${apply(bigText, value, [])}n`;
          break;
        case "symbol":
          out2 = cut(apply(symbolText, value, []), 200);
          break;
        case "boolean":
          out2 = value ? "true" : "false";
          break;
        case "undefined":
          out2 = value === void 0 ? "undefined" : "[object]";
          break;
        // document.all says undefined too
        default:
          out2 = value === null ? "null" : compose(value, depth, chain);
      }
    } catch {
      out2 = "[object that cannot be read]";
    }
    left -= 16 + (typeof value === "object" ? 0 : out2.length);
    return out2;
  }
  let first = null;
  let last = null;
  let kept = 0;
  let lost = 0;
  let busy2 = false;
  let active = true;
  let disposed = false;
  const post = (line) => {
    if (sink !== void 0) return sink(line);
    if (nonce !== "") {
      apply(dispatchEvent, target, [new MakeEvent(nonce, { __proto__: null, detail: line })]);
      return;
    }
    const entry = { line, next: null };
    if (last === null) first = entry;
    else last.next = entry;
    last = entry;
    if (kept === maxKept && first !== null) {
      first = first.next;
      lost++;
    } else kept++;
  };
  const emit = (kind, fields2) => {
    let lengths = "";
    let body = "";
    for (let i = 0; i < fields2.length; i++) {
      const field = fields2[i];
      lengths += i === 0 ? field.length : `,${field.length}`;
      body += field;
    }
    post(`${kind} ${now()} ${lengths}
${body}`);
  };
  const guarded = (work) => {
    if (!active || busy2) return;
    busy2 = true;
    try {
      work();
    } catch {
    } finally {
      busy2 = false;
    }
  };
  const callStack = () => {
    if (describe(Error, "prepareStackTrace") !== void 0) return "";
    const stack = read(stackOf, new Error());
    return typeof stack === "string" ? cut(stack, maxText) : "";
  };
  const onCall = (level, args) => {
    left = maxLine;
    let lengths = "";
    let body = level === "warn" || level === "error" ? callStack() : "";
    lengths += body.length;
    let used = 0;
    for (let i = 0; i < args.length; i++) {
      let text2 = i < maxArgs && used < maxLine ? show(args[i], 0, null) : `\u2026 [${args.length - i} more arguments]`;
      text2 = cut(text2, used + text2.length <= maxLine ? maxText : maxLine - used > 200 ? maxLine - used : 200);
      used += text2.length;
      lengths += `,${text2.length}`;
      body += text2;
      if (i >= maxArgs || used >= maxLine) break;
    }
    post(`${level} ${now()} ${lengths}
${body}`);
  };
  const onError = (event2) => {
    guarded(() => {
      if (!event2.isTrusted) return;
      let message;
      try {
        message = read(errorFields.message, event2);
      } catch {
        return;
      }
      left = maxLine;
      const error = read(errorFields.error, event2);
      const kind = typeof error === "object" && error !== null ? kindOf(error) : null;
      emit("exception", [
        cut(`${message}`, maxText),
        kind === errorProto || kind === exceptionProto ? stackText(error) : "",
        cut(`${read(errorFields.filename, event2)}`, 2e3),
        `${read(errorFields.lineno, event2)}`,
        `${read(errorFields.colno, event2)}`
      ]);
    });
  };
  const onRejection = (event2) => {
    guarded(() => {
      if (!event2.isTrusted) return;
      left = maxLine;
      const reason = read(reasonOf, event2);
      const kind = typeof reason === "object" && reason !== null ? kindOf(reason) : null;
      const isError = kind === errorProto || kind === exceptionProto;
      emit("rejection", [isError ? errorHead(reason) : show(reason, 0, null), isError ? stackText(reason) : ""]);
    });
  };
  let wrapped = null;
  const wrap = (level) => {
    try {
      const original = describe(sheet, level);
      if (original === void 0 || typeof original.value !== "function") return;
      const proxy = new HookProxy(original.value, {
        __proto__: null,
        apply(call, self, args) {
          if (active && !busy2) {
            busy2 = true;
            try {
              onCall(level, args);
            } catch {
            }
            busy2 = false;
          }
          return apply(call, self, args);
        }
      });
      if (define(sheet, level, { __proto__: null, ...original, value: proxy })) {
        wrapped = { level, original, proxy, next: wrapped };
      }
    } catch {
    }
  };
  const unwrap = () => {
    for (; wrapped !== null; wrapped = wrapped.next) {
      const current = describe(sheet, wrapped.level);
      if (current !== void 0 && has(current, "value") && current.value === wrapped.proxy) define(sheet, wrapped.level, wrapped.original);
    }
  };
  const listen = () => {
    apply(addEventListener, page2, ["error", onError, true]);
    apply(addEventListener, page2, ["unhandledrejection", onRejection, true]);
  };
  const install2 = () => {
    active = true;
    listen();
    if (wrapped !== null) return;
    wrap("log");
    wrap("info");
    wrap("warn");
    wrap("error");
    wrap("debug");
  };
  const off = () => {
    active = false;
    apply(removeEventListener, page2, ["error", onError, true]);
    apply(removeEventListener, page2, ["unhandledrejection", onRejection, true]);
    unwrap();
  };
  const onAsked = (event2) => {
    apply(preventDefault, event2, []);
  };
  const onControl = (event2) => {
    const word = read(detailOf, event2);
    if (word === "on") install2();
    else if (word === "off") off();
    else if (word === "dispose") dispose();
  };
  const open2 = () => {
    apply(addEventListener, target, [`${nonce}?`, onAsked]);
    apply(addEventListener, target, [`${nonce}!`, onControl]);
    emit("ready", [""]);
    if (lost > 0) emit("lost", [`${lost}`]);
    for (; first !== null; first = first.next) post(first.line);
    last = null;
    kept = lost = 0;
  };
  const onNonce = (event2) => {
    const given = read(detailOf, event2);
    if (typeof given !== "string" || given === "" || nonce !== "") return;
    nonce = given;
    apply(removeEventListener, target, ["debug-bridge:hook", onNonce]);
    open2();
  };
  function dispose() {
    if (disposed) return;
    disposed = true;
    off();
    first = last = null;
    apply(removeEventListener, target, ["debug-bridge:hook", onNonce]);
    apply(removeEventListener, target, [`${nonce}?`, onAsked]);
    apply(removeEventListener, target, [`${nonce}!`, onControl]);
  }
  const control = { on: install2, off, dispose };
  if (sink === void 0 && nonce !== "") {
    const question = new MakeEvent(`${nonce}?`, { __proto__: null, cancelable: true });
    if (apply(dispatchEvent, target, [question]) === false) return control;
  }
  install2();
  if (sink === void 0 && nonce !== "") open2();
  if (sink === void 0 && nonce === "") {
    apply(addEventListener, target, ["debug-bridge:hook", onNonce]);
    apply(dispatchEvent, target, [new MakeEvent("debug-bridge:hook?")]);
    later(() => {
      if (nonce === "") dispose();
    }, giveUpAfter);
  }
  return control;
}

// src/background/outbound.ts
var PAUSE_ABOVE = 8 << 20;
var RESUME_BELOW = 4 << 20;

// src/background/frames.ts
var Frame = class {
  info;
  nonce;
  port;
  /** The console hook was put into the page's own world. */
  hooked = false;
  /** So was the inspector. */
  inspected = false;
  /** The link came back: until the page starts over, what comes may leave a hole. */
  resending = false;
  /** The console came from the debugger ever since this bridge began. */
  bornByCdp;
  constructor(info, nonce, port, bornByCdp) {
    this.info = info;
    this.nonce = nonce;
    this.port = port;
    this.bornByCdp = bornByCdp;
  }
  post(message) {
    try {
      this.port.postMessage(message);
    } catch {
    }
  }
};
var FLOW_POLL_MS = 100;
var HOOK_MS = 1e3;
var Frames = class {
  #frames = /* @__PURE__ */ new Map();
  #waiting = /* @__PURE__ */ new Set();
  #grants;
  #settings;
  #out;
  #hooks;
  #flowTimer;
  constructor(grants2, settings2, out2, hooks) {
    this.#grants = grants2;
    this.#settings = settings2;
    this.#out = out2;
    this.#hooks = hooks;
  }
  get(tabId, frameId) {
    return this.#frames.get(tabId)?.get(frameId);
  }
  of(tabId) {
    return [...this.#frames.get(tabId)?.values() ?? []];
  }
  byNonce(tabId, nonce) {
    return this.of(tabId).find((frame) => frame.nonce === nonce);
  }
  /** Resolves when a bridge comes or goes, or after ms. */
  change(ms) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(done);
    });
  }
  /** Puts the content script into a tab's frames; where it already is, nothing happens. */
  async inject(target) {
    try {
      await chrome.scripting.executeScript({ target, files: ["content.js"], injectImmediately: true });
    } catch (error) {
      console.debug("content script not injected", target, messageOf(error));
    }
  }
  /** Brings the recorder beside the bridge of a tab's main frame. */
  async record(tabId) {
    if (this.#grants.get(tabId)?.paused !== null) throw new Fault("NOT_CONNECTED", "The tab is not connected.", { details: { tabId } });
    try {
      await chrome.scripting.executeScript({ target: { tabId, frameIds: [0] }, files: ["recorder.js"], injectImmediately: true });
    } catch (error) {
      throw new Fault("NAVIGATION_INTERRUPTED", messageOf(error), { details: { tabId } });
    }
  }
  /** A port from a content script. ready settles once the worker has its state back. */
  accept(port, ready2) {
    const backlog = [];
    let frame = null;
    let open2 = true;
    port.onMessage.addListener((message) => {
      if (frame) this.#receive(frame, message);
      else if (backlog.push(message) === 1) void ready2.then(adopt);
    });
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError;
      open2 = false;
      if (frame) this.#lost(frame);
    });
    const adopt = async () => {
      const first = decode(backlog[0]);
      const adopted = first?.kind === "ready" ? await this.#adopt(port, first.nonce, () => open2) : null;
      if (!adopted) {
        if (open2) refuse(port);
        return;
      }
      frame = adopted;
      for (const message of backlog.splice(0).slice(1)) this.#receive(frame, message);
    };
  }
  async #adopt(port, nonce, open2) {
    const { tab, frameId, documentId } = port.sender ?? {};
    if (tab?.id === void 0 || frameId === void 0 || documentId === void 0) return null;
    const tabId = tab.id;
    const facts = await chrome.webNavigation.getFrame({ tabId, frameId, documentId }).catch(() => null);
    if (!facts || facts.documentLifecycle !== "active" || !open2()) return null;
    if (frameId === 0) await this.#hooks.mainDocument(tabId, documentId, facts.url);
    else await this.#hooks.connecting(tabId);
    if (!this.#grants.get(tabId)) return null;
    const byCdp = await this.#hooks.consoleByCdp(tabId);
    const grant = this.#admitted(tabId, facts.url, open2);
    if (!grant) return null;
    const frame = new Frame({ tabId, frameId, parentFrameId: facts.parentFrameId, documentId, url: facts.url }, nonce, port, byCdp);
    frame.post(this.#startMessage(frame, grant.level, byCdp));
    if (!byCdp) await withDeadline(this.installHook(frame), HOOK_MS, () => new Error("slow")).catch(() => void 0);
    void this.installApp(frame);
    const still = this.#admitted(tabId, facts.url, open2);
    if (!still) return null;
    if (still.level !== grant.level) frame.post(this.#startMessage(frame, still.level, byCdp));
    const earlier = this.get(tabId, frameId);
    if (earlier) this.#remove(earlier, earlier.info.documentId === documentId ? "gone" : "navigated");
    let tabFrames = this.#frames.get(tabId);
    if (!tabFrames) this.#frames.set(tabId, tabFrames = /* @__PURE__ */ new Map());
    tabFrames.set(frameId, frame);
    this.#out.emit("frame.added", frame.info);
    if (this.#paused) frame.post({ kind: "flow", paused: true });
    this.#notify();
    return frame;
  }
  /** The tab's grant, if a frame may still be let in: everything may change while we wait. */
  #admitted(tabId, url, open2) {
    const grant = this.#grants.get(tabId);
    return open2() && grant && grant.paused === null && this.#settings.forbidden(url) === null ? grant : null;
  }
  #startMessage(frame, level, consoleByCdp) {
    return {
      kind: "start",
      telemetry: this.#settings.enabledTelemetry(),
      level,
      redact: this.#settings.current.redact,
      consoleByCdp,
      earlyHook: this.#settings.always(frame.info.url) !== null
    };
  }
  /** Puts the console hook into the page's own world, once a document; it starts switched as the bridge says. */
  async installHook(frame) {
    const { console: lines, errors } = this.#settings.current.telemetry;
    if (frame.hooked || !lines && !errors) return;
    frame.hooked = true;
    try {
      await chrome.scripting.executeScript({
        target: { tabId: frame.info.tabId, documentIds: [frame.info.documentId] },
        world: "MAIN",
        injectImmediately: true,
        // The hook's control object stays in the page; there is nothing to bring back.
        func: installMainHook,
        args: [frame.nonce]
      });
    } catch (error) {
      frame.hooked = false;
      console.debug("console hook not installed", frame.info.url, messageOf(error));
    }
  }
  /** Puts the inspector into the page's own world, once a document; it finds its bridge by itself. */
  async installApp(frame) {
    const { state } = this.#settings.current.telemetry;
    if (!state) frame.inspected = false;
    if (frame.inspected || !state) return;
    frame.inspected = true;
    try {
      await chrome.scripting.executeScript({
        target: { tabId: frame.info.tabId, documentIds: [frame.info.documentId] },
        world: "MAIN",
        injectImmediately: true,
        files: ["app.js"]
      });
    } catch (error) {
      frame.inspected = false;
      console.debug("inspector not installed", frame.info.url, messageOf(error));
    }
  }
  #receive(frame, raw) {
    const message = decode(raw);
    if (!message || this.get(frame.info.tabId, frame.info.frameId) !== frame) return;
    const { tabId, frameId, documentId } = frame.info;
    switch (message.kind) {
      case "telemetry": {
        if (!this.#out.connected || frame.resending || this.#grants.get(tabId)?.paused !== null) return;
        this.#out.emit("bridge.event", { tabId, frameId, documentId, first: message.first, messages: message.messages });
        if (!this.#paused && this.#out.queued > PAUSE_ABOVE) this.#holdFlow();
        return;
      }
      case "resending":
        frame.resending = false;
        return;
      case "sdk":
        this.#out.emit("frame.sdk", { tabId, frameId, documentId, appId: message.appId });
        return;
      case "result":
      case "fault":
      case "acted":
        this.#hooks.answer(frame, message);
        return;
      case "ready":
        return;
    }
  }
  get #paused() {
    return this.#flowTimer !== void 0;
  }
  /** Tells all pages to hold their telemetry until the daemon took what waits. */
  #holdFlow() {
    this.#broadcast({ kind: "flow", paused: true });
    const look = () => {
      if (this.#out.connected && this.#out.queued > RESUME_BELOW) {
        this.#flowTimer = setTimeout(look, FLOW_POLL_MS);
        return;
      }
      this.#flowTimer = void 0;
      this.#broadcast({ kind: "flow", paused: false });
    };
    this.#flowTimer = setTimeout(look, FLOW_POLL_MS);
  }
  #broadcast(message) {
    for (const tab of this.#frames.values()) for (const frame of tab.values()) frame.post(message);
  }
  /** The link is back: whatever was not acknowledged comes again. */
  resendAll() {
    for (const tab of this.#frames.values()) {
      for (const frame of tab.values()) {
        frame.resending = true;
        frame.post({ kind: "resend" });
      }
    }
  }
  acknowledge(payload) {
    const frame = this.get(payload.tabId, payload.frameId);
    if (frame?.info.documentId === payload.documentId) frame.post({ kind: "ack", upTo: payload.upTo });
  }
  /** Settings or the level changed: the bridges of a tab, or of all, are told. */
  reconfigure(tabId) {
    for (const [id, frames2] of this.#frames) {
      if (tabId !== void 0 && id !== tabId) continue;
      const grant = this.#grants.get(id);
      if (!grant) continue;
      void this.#hooks.consoleByCdp(id).then((byCdp) => {
        for (const frame of frames2.values()) {
          frame.post(this.#startMessage(frame, grant.level, byCdp));
          if (!byCdp) void this.installHook(frame);
          void this.installApp(frame);
        }
      });
    }
  }
  /** A new main document: the bridges of the one before are gone, told or not. */
  navigated(tabId, documentId) {
    for (const frame of this.of(tabId)) {
      if (frame.info.frameId === 0 && frame.info.documentId === documentId) return;
    }
    for (const frame of this.of(tabId)) this.#remove(frame, "navigated");
  }
  /** The URL of a document changed in place. */
  moved(tabId, frameId, url) {
    const frame = this.get(tabId, frameId);
    if (frame) frame.info = { ...frame.info, url };
  }
  /** The tab's id changed; its documents are new, or say so themselves. */
  forget(tabId) {
    for (const frame of this.of(tabId)) this.#remove(frame, "gone");
  }
  /** Undoes the bridges of a tab. */
  stop(tabId) {
    for (const frame of this.of(tabId)) {
      frame.post({ kind: "stop" });
      this.#remove(frame, "gone");
    }
  }
  /** Undoes the bridges in frames that the lists now forbid. */
  enforceLists() {
    for (const tab of this.#frames.values()) {
      for (const frame of tab.values()) {
        if (this.#settings.forbidden(frame.info.url) === null) continue;
        frame.post({ kind: "stop" });
        this.#remove(frame, "gone");
      }
    }
  }
  #lost(frame) {
    if (this.get(frame.info.tabId, frame.info.frameId) !== frame) return;
    this.#remove(frame, "gone");
    if (frame.info.frameId === 0) this.#hooks.mainLost(frame.info.tabId, frame.info.documentId);
  }
  #remove(frame, reason) {
    const { tabId, frameId, documentId } = frame.info;
    const frames2 = this.#frames.get(tabId);
    if (frames2?.get(frameId) !== frame) return;
    frames2.delete(frameId);
    if (frames2.size === 0) this.#frames.delete(tabId);
    this.#hooks.gone(frame, reason);
    this.#out.emit("frame.removed", { tabId, frameId, documentId, reason });
    this.#notify();
  }
  #notify() {
    for (const done of [...this.#waiting]) done();
  }
};
function refuse(port) {
  try {
    const stop = { kind: "stop" };
    port.postMessage(stop);
  } catch {
  }
}

// src/background/group-state.ts
var NONE = -1;
var KEY = "groups";
var MAX_LABEL = 40;
var COLOURS = ["blue", "green", "purple", "cyan", "orange", "pink", "yellow", "red"];
var GroupState = class {
  groups = /* @__PURE__ */ new Map();
  members = /* @__PURE__ */ new Map();
  #write = Promise.resolve();
  async load() {
    const stored = (await chrome.storage.session.get(KEY))[KEY];
    for (const value of list(stored?.groups)) {
      if (isAgents(value) && typeof value.groupId === "number") this.groups.set(value.groupId, value);
    }
    for (const value of list(stored?.members)) {
      if (isAgents(value) && typeof value.tabId === "number") this.members.set(value.tabId, value);
    }
  }
  /** Keeps what is; a group without a member of ours is ours no longer. */
  save() {
    const used = new Set([...this.members.values()].map((member) => member.groupId));
    for (const groupId of this.groups.keys()) if (!used.has(groupId)) this.groups.delete(groupId);
    const value = { [KEY]: { groups: [...this.groups.values()], members: [...this.members.values()] } };
    this.#write = this.#write.then(() => chrome.storage.session.set(value));
    return this.#write;
  }
  /** The groups of an agent in a session, one for each window. */
  of({ key, sessionId }) {
    return [...this.groups.values()].filter((group) => group.key === key && group.sessionId === sessionId);
  }
  /** An agent's colour: always the same, unless another agent has it now. */
  colour(key) {
    const all = [...this.groups.values()];
    const own = all.find((group) => group.key === key);
    if (own) return own.colour;
    const taken = new Set(all.map((group) => group.colour));
    const first = [...key].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0) >>> 0, 7) % COLOURS.length;
    const inTurn = [...COLOURS.slice(first), ...COLOURS.slice(0, first)];
    return inTurn.find((colour) => !taken.has(colour)) ?? inTurn[0] ?? "blue";
  }
};
function readAgent(value) {
  if (typeof value !== "object" || value === null) return null;
  const { key, label } = value;
  if (typeof key !== "string" || !/^[A-Za-z0-9._-]{1,128}$/.test(key)) return null;
  const words2 = typeof label === "string" ? label.replace(/[\p{C}\s]+/gu, " ").trim() : "";
  return { key, label: [...words2 === "" ? "Agent" : words2].slice(0, MAX_LABEL).join("") };
}
function list(value) {
  return Array.isArray(value) ? value : [];
}
function isAgents(value) {
  if (typeof value !== "object" || value === null) return false;
  const { key, label, level, sessionId } = value;
  return typeof key === "string" && typeof label === "string" && isLevel(level) && isSessionName(sessionId);
}

// src/background/groups.ts
var SETTLE_MS = 150;
var BUSY_MS = 250;
var Groups = class {
  #state = new GroupState();
  #grants;
  #settings;
  #tabs;
  #shown;
  #timers = /* @__PURE__ */ new Map();
  /** Tabs that never finished loading: Chrome restores a tab first and puts it into its group then. */
  #young = /* @__PURE__ */ new Set();
  /** Tabs of which Chrome said that they came into a group or left it. */
  #heard = /* @__PURE__ */ new Set();
  #refusals = /* @__PURE__ */ new Map();
  #queue = Promise.resolve();
  constructor(grants2, settings2, tabs2, shown2) {
    this.#grants = grants2;
    this.#settings = settings2;
    this.#tabs = tabs2;
    this.#shown = shown2;
  }
  load() {
    return this.#state.load();
  }
  /** The name of the agent in whose group a tab stands. */
  labelOf(tabId) {
    const member = this.#state.members.get(tabId);
    return member && member.groupId !== NONE ? member.label : null;
  }
  /** Why a tab that was dragged into a group was taken out again. */
  refusal(tabId) {
    if (this.#grants.get(tabId)) this.#refusals.delete(tabId);
    return this.#refusals.get(tabId) ?? null;
  }
  // --- what agents do ------------------------------------------------------------
  /** Puts a tab that an agent opened into that agent's group. */
  adopt(tabId, { key, label }, opener) {
    const { sessionId, level } = opener;
    return this.#inTurn(() => this.#enter({ tabId, key, label, sessionId, level, groupId: NONE, by: "agent", granted: true }));
  }
  /** A page's popup took over the grant of the tab that it came from, and goes where that one stands. */
  inherited(tabId, openerTabId) {
    void this.#inTurn(async () => {
      const opener = this.#state.members.get(openerTabId);
      if (opener && !this.#state.members.has(tabId)) await this.#enter({ ...opener, tabId, groupId: NONE, granted: true });
    });
  }
  /** A connection ended, or did not come about: the tab leaves the group. */
  ended(tabId) {
    void this.#inTurn(async () => {
      this.#state.members.delete(tabId);
      await this.#expel(tabId);
    });
  }
  /**
   * agent.left {key}: the agent is done. The tabs that it opened are closed where the
   * person wants that; all others stay, out of the group and out of its reach.
   */
  left(key) {
    return this.#inTurn(async () => {
      const all = [...this.#state.members.values()].filter((member) => member.key === key);
      const closing = this.#settings.current.agentTabs === "close" ? await sparing(all.filter((member) => member.by === "agent")) : /* @__PURE__ */ new Set();
      for (const { tabId, granted } of all) {
        this.#state.members.delete(tabId);
        if (!closing.has(tabId)) await this.#expel(tabId);
        if (granted) void this.#tabs().disconnect(tabId, "detached_by_user", false).catch(report);
        if (closing.has(tabId)) void chrome.tabs.remove(tabId).catch(report);
      }
      await this.#state.save();
    });
  }
  // --- what the person does ------------------------------------------------------
  /** tabs.onCreated: the only word of a tab that is born in a group. */
  created(tab) {
    if (tab.id === void 0) return;
    const tabId = tab.id;
    this.#young.add(tabId);
    if (this.#state.groups.has(tab.groupId)) this.#soon(tabId);
  }
  /** tabs.onUpdated. */
  updated(tabId, change) {
    if (change.status === "complete") this.#young.delete(tabId);
    if (change.url !== void 0) this.#refusals.delete(tabId);
    if (change.groupId === void 0) return;
    if (!this.#young.has(tabId)) this.#heard.add(tabId);
    this.#soon(tabId);
  }
  replaced(added, removed) {
    void this.#inTurn(async () => {
      const member = this.#state.members.get(removed);
      if (!member) return;
      this.#state.members.delete(removed);
      this.#state.members.set(added, { ...member, tabId: added });
      await this.#state.save();
    });
  }
  removed(tabId) {
    this.#refusals.delete(tabId);
    this.#young.delete(tabId);
    this.#heard.delete(tabId);
    void this.#inTurn(async () => {
      if (this.#state.members.delete(tabId)) await this.#state.save();
    });
  }
  /** What happened while no worker lived: who left is let go, who came in without a word of Chrome's is put out. */
  reconcile() {
    return this.#inTurn(async () => {
      const live = await chrome.tabs.query({});
      const there = new Set(live.map((tab) => tab.id));
      for (const tabId of [...this.#state.members.keys()]) {
        if (!there.has(tabId)) this.#state.members.delete(tabId);
        else if (!this.#grants.get(tabId)) this.ended(tabId);
      }
      for (const { id, groupId } of live) {
        if (id !== void 0 && (this.#state.members.has(id) || this.#state.groups.has(groupId))) this.#soon(id);
      }
    });
  }
  #soon(tabId, ms = SETTLE_MS) {
    clearTimeout(this.#timers.get(tabId));
    this.#timers.set(tabId, setTimeout(() => {
      this.#timers.delete(tabId);
      void this.#inTurn(() => this.#settle(tabId));
    }, ms));
  }
  /** Compares where a tab stands with where we know it to stand. */
  async #settle(tabId) {
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (!tab) return;
    const member = this.#state.members.get(tabId);
    const group = this.#state.groups.get(tab.groupId);
    if ((member?.groupId ?? NONE) === (group?.groupId ?? NONE)) {
      this.#heard.delete(tabId);
      return;
    }
    if (await busy(tab)) return this.#soon(tabId, BUSY_MS);
    const heard = this.#heard.delete(tabId);
    if (member && group && member.key === group.key && member.sessionId === group.sessionId) {
      this.#state.members.set(tabId, { ...member, groupId: group.groupId });
      return this.#state.save();
    }
    if (member) await this.#out(member);
    if (!group || this.#tabs().expects(tabId)) return;
    if (heard) await this.#in(tabId, group);
    else await this.#expel(tabId);
  }
  /** Dragged in: as a click on Connect, in the agent's session and at no more than the group has. */
  async #in(tabId, group) {
    const { key, label, sessionId, groupId } = group;
    const grant = this.#grants.get(tabId);
    const connected = grant?.paused === null;
    const others = [...this.#state.members.values()].flatMap((member) => member.groupId === groupId ? this.#grants.get(member.tabId)?.level ?? [] : []);
    const level = least(this.#settings.current.levelDefault, others.length > 0 ? most(others) : group.level);
    this.#state.members.set(tabId, { tabId, key, label, sessionId, level, groupId, by: "person", granted: !connected });
    await this.#state.save();
    this.#shown(tabId);
    if (connected) return;
    void this.#tabs().connect(tabId, { level, sessionId, anySite: false }, "click").catch((error) => this.#refuse(tabId, label, messageOf(error)));
  }
  async #refuse(tabId, label, why) {
    await this.#inTurn(async () => {
      this.#state.members.delete(tabId);
      await this.#expel(tabId);
      this.#refusals.set(tabId, `Taken out of the group \u201C${label}\u201D: ${why}`);
    });
    this.#shown(tabId);
  }
  async #out(member) {
    this.#state.members.delete(member.tabId);
    await this.#state.save();
    void this.#tabs().disconnect(member.tabId, "detached_by_user", true).catch(report);
  }
  // --- our own hand ----------------------------------------------------------------
  async #enter(member) {
    this.#state.members.set(member.tabId, member);
    await this.#state.save();
    await this.#place(member.tabId);
  }
  /** Puts a tab into its agent's group of its window. Without a group it is the agent's all the same. */
  async #place(tabId) {
    const member = this.#state.members.get(tabId);
    if (!member || !hasGroups()) return;
    try {
      const tab = await chrome.tabs.get(tabId);
      const { type } = await chrome.windows.get(tab.windowId);
      if (type !== "normal") return;
      const { key, label, sessionId, level } = member;
      const known = await this.#groupIn(tab.windowId, member);
      const groupId = known === tab.groupId ? known : await chrome.tabs.group({ tabIds: tabId, ...known === void 0 ? { createProperties: { windowId: tab.windowId } } : { groupId: known } });
      const colour = this.#state.colour(key);
      this.#state.members.set(tabId, { ...member, groupId });
      if (known === void 0) this.#state.groups.set(groupId, { groupId, key, label, sessionId, level, colour });
      await this.#state.save();
      if (known === void 0) await chrome.tabGroups.update(groupId, { title: label, color: colour });
      this.#shown(tabId);
    } catch (error) {
      if (isBusy(error)) setTimeout(() => void this.#inTurn(() => this.#place(tabId)), BUSY_MS);
      else console.debug("not grouped", tabId, messageOf(error));
    }
  }
  async #groupIn(windowId, member) {
    for (const { groupId } of this.#state.of(member)) {
      const live = await chrome.tabGroups.get(groupId).catch(() => null);
      if (live?.windowId === windowId) return groupId;
    }
    return void 0;
  }
  /** Takes a tab out of a group of ours where it has no place (any more). */
  async #expel(tabId, from = NONE) {
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (tab && tab.groupId !== NONE && (this.#state.groups.has(tab.groupId) || tab.groupId === from) && !this.#state.members.has(tabId)) {
      try {
        await chrome.tabs.ungroup(tabId);
      } catch (error) {
        if (isBusy(error)) setTimeout(() => void this.#inTurn(() => this.#expel(tabId, tab.groupId)), BUSY_MS);
        else console.debug("not taken out of its group", tabId, messageOf(error));
        return;
      }
    }
    await this.#state.save();
  }
  #inTurn(task) {
    const done = this.#queue.then(task).catch(report);
    this.#queue = done;
    return done;
  }
};
function hasGroups() {
  return chrome.tabGroups !== void 0;
}
async function busy(tab) {
  if (tab.id === void 0) return false;
  return chrome.tabs.move(tab.id, { index: tab.index }).then(() => false, isBusy);
}
function isBusy(error) {
  return /cannot be edited/i.test(messageOf(error));
}
async function sparing(members) {
  const closing = new Set(members.map((member) => member.tabId));
  for (const { tabs: tabs2 = [] } of await chrome.windows.getAll({ populate: true })) {
    const last = tabs2.at(-1)?.id;
    if (last !== void 0 && tabs2.every((tab) => tab.id !== void 0 && closing.has(tab.id))) closing.delete(last);
  }
  return closing;
}
function most(levels) {
  return LEVELS.findLast((level) => levels.includes(level)) ?? "observe";
}
function least(one, other) {
  return LEVELS.indexOf(one) < LEVELS.indexOf(other) ? one : other;
}
function report(error) {
  console.error(messageOf(error), error);
}

// src/background/health.ts
var MEASURE_MS = 2e3;
var Health = class {
  #link = { phase: "connecting" };
  #agents = [];
  #daemonURL;
  #roundTripMs = null;
  #silent = false;
  #ping;
  constructor(ping) {
    this.#ping = ping;
  }
  get agents() {
    return this.#agents;
  }
  get daemonURL() {
    return this.#daemonURL;
  }
  linkChanged(state) {
    this.#link = state;
    if (state.phase === "connected") return;
    this.#agents = [];
    this.#roundTripMs = null;
    this.#silent = false;
  }
  /** The daemon told who is attached. */
  agentsChanged(payload) {
    const { sessions, url } = record(payload);
    this.#daemonURL = typeof url === "string" ? url : void 0;
    this.#agents = list2(sessions).flatMap((session) => {
      const { id: sessionId, agents } = record(session);
      return list2(agents).flatMap((agent) => {
        const { id, name } = record(agent);
        return typeof id === "string" && typeof sessionId === "string" ? [{ id, name: typeof name === "string" && name !== "" ? name : id, sessionId }] : [];
      });
    });
  }
  /** A round trip to the daemon: green means answered, not merely open. */
  async measure() {
    if (this.#link.phase !== "connected") return;
    const began = performance.now();
    try {
      await withDeadline(this.#ping(), MEASURE_MS, () => new Error("silent"));
      this.#silent = false;
    } catch (error) {
      this.#silent = messageOf(error) === "silent";
    }
    this.#roundTripMs = this.#silent ? null : performance.now() - began;
  }
  hops() {
    const version = chrome.runtime.getManifest().version;
    return [{ name: "extension", state: "ok", text: `Version ${version}` }, this.#host(), this.#daemon(), this.#agentsHop()];
  }
  #host() {
    const { phase, error } = this.#link;
    if (error?.code === "NATIVE_HOST_NOT_INSTALLED") {
      return { name: "host", state: "fail", text: "Not installed for this browser. Run this, then restart the browser:", command: error.command ?? "dbridge install" };
    }
    if (error?.code === "VERSION_MISMATCH") return { name: "host", state: "fail", text: error.message, command: error.command ?? "dbridge install" };
    if (phase === "connected" || error?.code === "DAEMON_UNAVAILABLE") return { name: "host", state: "ok", text: "Started by Chrome" };
    if (error) return { name: "host", state: "fail", text: error.message, command: error.command ?? "dbridge doctor" };
    return { name: "host", state: "wait", text: "Connecting \u2026" };
  }
  #daemon() {
    const { phase, error, hostVersion } = this.#link;
    if (error?.code === "DAEMON_UNAVAILABLE") return { name: "daemon", state: "fail", text: "Does not answer. This says why:", command: error.command ?? "dbridge doctor" };
    if (phase !== "connected") return { name: "daemon", state: "unknown", text: "Waits for the host" };
    if (this.#silent) return { name: "daemon", state: "warn", text: "Connected, but silent. This says why:", command: "dbridge doctor" };
    const parts = [hostVersion === void 0 ? "Running" : `Version ${hostVersion}`];
    if (this.#roundTripMs !== null) parts.push(`answers in ${this.#roundTripMs < 1 ? "under 1" : String(Math.round(this.#roundTripMs))} ms`);
    return { name: "daemon", state: "ok", text: parts.join(", ") };
  }
  #agentsHop() {
    if (this.#link.phase !== "connected") return { name: "agents", state: "unknown", text: "Wait for the daemon" };
    const count = this.#agents.length;
    if (count === 0) return { name: "agents", state: "warn", text: "None attached. To try one:", command: "dbridge attach" };
    return { name: "agents", state: "ok", text: count === 1 ? "1 attached" : `${String(count)} attached` };
  }
};
function record(value) {
  return typeof value === "object" && value !== null ? value : {};
}
function list2(value) {
  return Array.isArray(value) ? value : [];
}

// src/background/link-wire.ts
var KINDS = /* @__PURE__ */ new Set(["request", "response", "event", "chunk", "ack", "nack", "ping", "pong", "hello", "welcome", "bye"]);
var SEQUENCED = /* @__PURE__ */ new Set(["request", "response", "event", "chunk"]);
var LinkError = class extends Error {
  code;
  details;
  suggestions;
  retryable;
  constructor(code, message, extra = {}) {
    super(message);
    this.name = "LinkError";
    this.code = code;
    this.details = extra.details;
    this.suggestions = extra.suggestions;
    this.retryable = extra.retryable;
  }
  toWire() {
    return { code: this.code, message: this.message, details: this.details, suggestions: this.suggestions, retryable: this.retryable };
  }
};
function isRecord2(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function linkError(thrown) {
  if (thrown instanceof LinkError) return thrown;
  const { code, details, suggestions, retryable } = fields(thrown);
  const message = isRecord2(thrown) && typeof thrown.message === "string" ? thrown.message : String(thrown);
  return new LinkError(typeof code === "string" && code !== "" ? code : "INTERNAL_ERROR", message, {
    details: isRecord2(details) ? details : void 0,
    suggestions: texts(suggestions),
    retryable: typeof retryable === "boolean" ? retryable : void 0
  });
}
function fields(value) {
  return isRecord2(value) ? value : {};
}
function texts(value) {
  return Array.isArray(value) ? value.filter((text2) => typeof text2 === "string") : void 0;
}
function readFrame(raw) {
  if (!isRecord2(raw)) return "not an object";
  if (raw.v !== 1) return "unknown version";
  const { kind, seq, ack, window: window2, id, op, payload, error, index, last, data } = raw;
  if (!isKind(kind)) return "unknown kind";
  if (!isCount2(seq) || !isCount2(ack) || !isCount2(window2) || !isCount2(index)) return "a number is out of range";
  if (SEQUENCED.has(kind) !== (seq !== void 0 && seq > 0)) return `seq in a frame of kind ${kind}`;
  if (id !== void 0 && typeof id !== "string" || op !== void 0 && typeof op !== "string") return "id or op is not a string";
  if (data !== void 0 && typeof data !== "string") return "data is not a string";
  if (kind === "chunk" && (id === void 0 || data === void 0 || index === void 0)) return "incomplete chunk";
  if ((kind === "request" || kind === "response") && id === void 0) return `${kind} without id`;
  if ((kind === "request" || kind === "event") && op === void 0) return `${kind} without op`;
  return { kind, seq, ack, window: window2, id, op, payload, error: readFailure(error), index, last: last === true, data };
}
function readText(text2) {
  try {
    const envelope = JSON.parse(text2);
    return isRecord2(envelope) ? readFrame({ v: 1, seq: 1, ...envelope }) : "a chunked message is not an object";
  } catch {
    return "a chunked message is not JSON";
  }
}
function readFailure(error) {
  if (!isRecord2(error)) return void 0;
  const failure = linkError(error).toWire();
  const command = failure.suggestions?.map((text2) => /`(dbridge [^`]+)`/.exec(text2)?.[1]).find((found) => found !== void 0);
  return command === void 0 ? failure : { ...failure, command };
}
function isKind(value) {
  return typeof value === "string" && KINDS.has(value);
}
function isCount2(value) {
  return value === void 0 || typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
function portFailure(text2) {
  const said = text2 === void 0 ? "" : ` Chrome says: ${text2}`;
  const install2 = { code: "NATIVE_HOST_NOT_INSTALLED", command: "dbridge install", suggestions: ["Run `dbridge install`, then restart the browser."] };
  if (/host not found/i.test(text2 ?? "")) return { ...install2, message: `This browser does not know the Debug Bridge host.${said}` };
  if (/forbidden/i.test(text2 ?? "")) return { ...install2, message: `The Debug Bridge host of this browser is installed for another extension.${said}` };
  return {
    code: "DAEMON_UNAVAILABLE",
    message: `The connection to Debug Bridge ended.${said}`,
    command: "dbridge doctor",
    suggestions: ["Run `dbridge doctor`: it finds the broken hop."]
  };
}
function utf8Length(text2) {
  let bytes = text2.length;
  for (let i = 0; i < text2.length; i++) {
    const unit = text2.charCodeAt(i);
    if (unit < 128) continue;
    bytes += unit < 2048 || unit >= 55296 && unit < 57344 ? 1 : 2;
  }
  return bytes;
}
function split(text2, size) {
  const pieces = [];
  let start = 0;
  let bytes = 0;
  for (let i = 0; i < text2.length; i++) {
    const unit = text2.charCodeAt(i);
    const pair = unit >= 55296 && unit < 56320 && i + 1 < text2.length;
    const width = pair ? 4 : unit < 128 ? 1 : unit < 2048 ? 2 : 3;
    if (bytes + width > size) {
      pieces.push({ data: text2.slice(start, i), bytes });
      start = i;
      bytes = 0;
    }
    bytes += width;
    if (pair) i++;
  }
  pieces.push({ data: text2.slice(start), bytes });
  return pieces;
}
function sizeOf(payload) {
  let left = 64;
  const measure = (value) => {
    if (--left < 0) return 256;
    if (typeof value === "string") return value.length;
    if (typeof value !== "object" || value === null) return 8;
    let size = 2;
    for (const key in value) {
      if (left < 0) break;
      size += key.length + measure(value[key]);
    }
    return left < 0 && Array.isArray(value) ? Math.max(size, value.length * 16) : size;
  };
  return measure(payload);
}
var Queue = class {
  #items = [];
  #head = 0;
  get length() {
    return this.#items.length - this.#head;
  }
  push(item) {
    this.#items.push(item);
  }
  at(index) {
    return this.#items[this.#head + index];
  }
  shift() {
    const item = this.#items[this.#head];
    if (this.#head >= this.#items.length) return void 0;
    this.#items[this.#head++] = void 0;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
  *drain() {
    for (let item = this.shift(); item !== void 0; item = this.shift()) yield item;
  }
};
var MAX_MESSAGE = 64 << 20;
var MAX_STREAMS = 64;
var STREAM_TTL = 3e4;
var REMEMBERED = 256;
var ChunkStreams = class {
  #open = /* @__PURE__ */ new Map();
  #ended = /* @__PURE__ */ new Set();
  /** Takes one chunk; gives the whole text with the last. */
  add(frame, now) {
    const { id = "", index = 0, data = "" } = frame;
    if (this.#ended.has(id)) return void 0;
    let stream = this.#open.get(id);
    if (!stream) {
      if (index !== 0 || this.#open.size >= MAX_STREAMS) return this.#end(id);
      stream = { parts: [], length: 0, heard: now };
      this.#open.set(id, stream);
    }
    if (index < stream.parts.length) return void 0;
    if (index > stream.parts.length || stream.length + data.length > MAX_MESSAGE) return this.#end(id);
    stream.parts.push(data);
    stream.length += data.length;
    stream.heard = now;
    if (frame.last !== true) return void 0;
    this.#end(id);
    return stream.parts.join("");
  }
  #end(id) {
    this.#open.delete(id);
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > REMEMBERED && oldest !== void 0) this.#ended.delete(oldest);
  }
  /**
   * Drops messages whose pieces stopped coming although the daemon went on with others:
   * `coming` is the one whose piece has come. Time alone shows nothing, as after a machine slept.
   */
  expire(now, coming) {
    for (const [id, stream] of this.#open) if (id !== coming && now - stream.heard > STREAM_TTL) this.#end(id);
  }
  /** Gives every open stream its full time again, after an interruption that was nobody's fault. */
  touch(now) {
    for (const stream of this.#open.values()) stream.heard = now;
  }
};

// src/background/link.ts
var LINK_VERSION = 1;
var MAX_MESSAGE2 = 64 << 20;
var PIECE = 8 << 20;
var OVERHEAD = 80;
var WINDOW_TO_BROWSER = 4 << 20;
var WINDOW_FROM_BROWSER = 16 << 20;
var MAX_QUEUE = 64 << 20;
var ACK_FRAMES = 32;
var ACK_BYTES = 256 << 10;
var MAX_REFUSALS = 3;
var GRACE = 12e3;
var SUSPENDED = 5e3;
var TIMING = { welcome: 2e4, ping: 1e4, silence: 25e3, ack: 100, nack: 500, probe: 2e3, retryMin: 250, retryMax: 3e4, stable: 5e3 };
var Link = class {
  #options;
  #timing;
  #now;
  #random;
  // The instance: it survives connections.
  #instance = "";
  #epoch = "";
  #life = "";
  // the daemon's name for this instance
  #generation = 0;
  #lastSeq = 0;
  #acked = 0;
  #numbered = new Queue();
  #backlog = new Queue();
  #queued = 0;
  #received = 0;
  #streams = new ChunkStreams();
  #pending = /* @__PURE__ */ new Map();
  #lastId = 0;
  #refusals = 0;
  #refused = 0;
  #dropped = 0;
  // since the last welcome
  // The connection.
  #port;
  #open = false;
  // welcomed
  #openedAt = 0;
  #cursor = 0;
  // index in #numbered of the next to write on this connection
  #out = 0;
  #credit = WINDOW_FROM_BROWSER;
  #heard = 0;
  #sent = 0;
  #progress = 0;
  #probed;
  #probeSeq = 0;
  #sinceAck = 0;
  #bytesSinceAck = 0;
  #nackedAt;
  #bye;
  #attempts = 0;
  #pumping = false;
  #ackTimer;
  #beatTimer;
  #beatAt = 0;
  #awaySince;
  #retryTimer;
  constructor(options) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#now = options.now ?? (() => performance.now());
    this.#random = options.random ?? Math.random;
    this.#newInstance();
  }
  /** Bytes that the daemon has not acknowledged, sent or not. */
  get queued() {
    return this.#queued;
  }
  /** Events refused because the queue was full or there was nothing to resume. */
  get refused() {
    return this.#refused;
  }
  /** Connects now, also when it waits for its next attempt. */
  start() {
    if (this.#port) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = void 0;
    this.#connect();
  }
  /** Disconnects and stays so until start(), which resumes if the daemon still remembers. */
  stop() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = void 0;
    const port = this.#port;
    this.#closeConnection();
    port?.disconnect();
    guard(() => this.#options.onState({ phase: "waiting" }));
  }
  /** Sends an event. False, and nothing is sent, when there is no link to resume or too much is queued: the caller keeps it. */
  event(op, payload) {
    if (this.#epoch !== "" && this.#queued < MAX_QUEUE && this.#push({ kind: "event", op, payload })) return true;
    this.#refused++;
    return false;
  }
  /** Asks the daemon. Rejects with a LinkError. */
  request(op, payload) {
    if (this.#epoch === "") return Promise.reject(new LinkError("DAEMON_UNAVAILABLE", `${op} was not sent: there is no connection to the daemon.`));
    const id = `x${String(++this.#lastId)}`;
    return new Promise((resolve, reject) => {
      let message;
      try {
        message = this.#push({ kind: "request", id, op, payload }, (made) => this.#pending.set(id, { message: made, resolve, reject }));
      } catch (error) {
        reject(linkError(error));
        return;
      }
      if (!message) reject(tooLarge(op));
    });
  }
  // ---- sending
  /** Queues a message and sends what may be sent; undefined when it is larger than the link's limit. */
  #push(envelope, made) {
    const text2 = JSON.stringify(envelope);
    const bytes = utf8Length(text2);
    if (bytes > MAX_MESSAGE2) return void 0;
    const message = { envelope, text: text2, bytes, written: false };
    made?.(message);
    this.#backlog.push(message);
    this.#queued += bytes + OVERHEAD;
    this.#pump();
    if (!message.written) message.envelope = { kind: envelope.kind, id: envelope.id, op: envelope.op, payload: void 0 };
    return message;
  }
  #pump() {
    if (!this.#open || this.#pumping) return;
    this.#pumping = true;
    try {
      for (; ; ) {
        const waiting = this.#backlog.at(0);
        if (this.#cursor === this.#numbered.length && waiting && this.#mayWrite(Math.min(waiting.bytes, PIECE) + OVERHEAD)) this.#number(waiting);
        const frame = this.#numbered.at(this.#cursor);
        if (!frame || !this.#mayWrite(frame.bytes)) break;
        if (this.#cursor === 0) {
          this.#progress = this.#now();
          if (this.#beatAt > this.#progress + this.#timing.probe) this.#beatIn(this.#timing.probe);
        }
        this.#cursor++;
        this.#out += frame.bytes;
        if (!this.#postData(frame)) return;
      }
      if (this.#sinceAck >= ACK_FRAMES || this.#bytesSinceAck >= ACK_BYTES) this.#control("ack");
    } finally {
      this.#pumping = false;
    }
  }
  #mayWrite(bytes) {
    return this.#credit > 0 && (this.#out === 0 || this.#out + bytes <= this.#credit);
  }
  /** Gives a message its place in the stream, in chunks when it is large. */
  #number(message) {
    this.#backlog.shift();
    if (message.bytes + OVERHEAD <= PIECE) {
      this.#numbered.push({ seq: ++this.#lastSeq, bytes: message.bytes + OVERHEAD, message });
      return;
    }
    const pieces = split(message.text, PIECE);
    const id = `c${String(++this.#lastId)}`;
    this.#queued -= OVERHEAD;
    pieces.forEach(({ data, bytes }, index) => {
      this.#queued += OVERHEAD;
      this.#numbered.push({ seq: ++this.#lastSeq, bytes: bytes + OVERHEAD, message, chunk: { id, index, last: index === pieces.length - 1, data } });
    });
    message.text = "";
  }
  /** Posts one numbered frame; false when the connection broke. */
  #postData(frame) {
    const { message } = frame;
    const whole = () => message.written || message.envelope.payload === void 0 ? JSON.parse(message.text) : message.envelope;
    const body = frame.chunk ? { kind: "chunk", ...frame.chunk } : whole();
    const outcome = this.#post({ v: 1, seq: frame.seq, ack: this.#received, window: WINDOW_TO_BROWSER, ...body });
    if (!frame.chunk || frame.chunk.last) message.written = true;
    if (message.written) message.envelope = { kind: message.envelope.kind, id: message.envelope.id, op: message.envelope.op, payload: void 0 };
    if (outcome !== "too large") return outcome === "sent";
    return this.#substitute(frame);
  }
  /** Chrome refused a frame for its size: another takes its number, so that the loss is told. */
  #substitute(frame) {
    const { kind, id, op } = frame.message.envelope;
    const instead = kind === "response" ? { kind, id, error: tooLarge("the result").toWire() } : { kind: "event", op: "link.dropped", payload: { op, bytes: frame.bytes, reason: "too_large" } };
    if (id !== void 0 && kind === "request") this.#settle(id)?.reject(tooLarge(op ?? ""));
    delete frame.chunk;
    frame.message = { envelope: instead, text: JSON.stringify(instead), bytes: frame.bytes, written: false };
    return this.#post({ v: 1, seq: frame.seq, ack: this.#received, window: WINDOW_TO_BROWSER, ...instead }) === "sent";
  }
  #control(kind) {
    this.#post({ v: 1, kind, ack: this.#received, window: WINDOW_TO_BROWSER });
  }
  #post(frame) {
    const port = this.#port;
    if (!port) return "broken";
    try {
      port.postMessage(frame);
    } catch (error) {
      const text2 = error instanceof Error ? error.message : String(error);
      if (/exceeded maximum|too large|64 ?MiB/i.test(text2)) return "too large";
      queueMicrotask(() => this.#lost(port, text2));
      return "broken";
    }
    this.#sent = this.#now();
    this.#sinceAck = 0;
    this.#bytesSinceAck = 0;
    return "sent";
  }
  // ---- receiving
  #onMessage(port, raw) {
    if (port !== this.#port) return;
    this.#heard = this.#now();
    const frame = readFrame(raw);
    if (typeof frame === "string") {
      this.#malformed(frame);
      return;
    }
    if (frame.kind === "bye") {
      this.#bye = frame.error ?? { code: "DAEMON_UNAVAILABLE", message: "The daemon closed the link." };
      if (this.#bye.code === "PROTOCOL_ERROR") this.#refusals++;
      this.#lost(port, void 0);
      port.disconnect();
      return;
    }
    if (!this.#open) {
      if (frame.kind === "welcome") this.#welcomed(frame);
      return;
    }
    this.#applyAck(frame);
    if (frame.seq === void 0) this.#steer(frame);
    else this.#accept(frame, frame.seq);
    this.#pump();
  }
  #accept(frame, seq) {
    if (seq <= this.#received) {
      this.#control("ack");
      return;
    }
    const now = this.#now();
    if (seq > this.#received + 1) {
      if (this.#nackedAt === void 0 || now - this.#nackedAt >= this.#timing.nack) {
        this.#nackedAt = now;
        this.#control("nack");
      }
      return;
    }
    this.#received = seq;
    this.#nackedAt = void 0;
    this.#sinceAck++;
    this.#bytesSinceAck += frame.data === void 0 ? sizeOf(frame.payload) : frame.data.length;
    this.#ackTimer ??= setTimeout(() => {
      this.#ackTimer = void 0;
      if (this.#open && this.#sinceAck > 0) this.#control("ack");
    }, this.#timing.ack);
    this.#streams.expire(now, frame.kind === "chunk" ? frame.id : void 0);
    if (frame.kind !== "chunk") {
      this.#deliver(frame);
      return;
    }
    const text2 = this.#streams.add(frame, now);
    if (text2 === void 0) return;
    const envelope = readText(text2);
    if (typeof envelope === "string") this.#malformed(envelope);
    else this.#deliver(envelope);
  }
  #malformed(what) {
    this.#breakOff({ code: "PROTOCOL_ERROR", message: `The daemon sent a malformed frame: ${what}`, command: "dbridge doctor", suggestions: ["Run `dbridge doctor`."] });
  }
  #steer(frame) {
    if (frame.kind === "ping") this.#control("pong");
    else if (frame.kind === "nack") this.#rewind();
    else if (frame.kind === "pong") {
      if (this.#probed !== void 0 && this.#acked < this.#probeSeq) this.#rewind();
      this.#probed = void 0;
    }
  }
  #deliver(frame) {
    const { kind, id, op, payload } = frame;
    if (kind === "event" && op !== void 0) {
      guard(() => this.#options.onEvent(op, payload));
    } else if (kind === "response" && id !== void 0) {
      const pending = this.#settle(id);
      if (frame.error) pending?.reject(linkError(frame.error));
      else pending?.resolve(payload);
    } else if (kind === "request" && id !== void 0 && op !== void 0) {
      void this.#answer(id, op, payload);
    }
  }
  async #answer(id, op, payload) {
    const generation = this.#generation;
    let response;
    try {
      response = { kind: "response", id, payload: await this.#options.onRequest(op, payload) };
    } catch (error) {
      response = { kind: "response", id, error: linkError(error).toWire() };
    }
    if (generation !== this.#generation) return;
    try {
      if (!this.#push(response)) this.#push({ kind: "response", id, error: tooLarge(op).toWire() });
    } catch (error) {
      this.#push({ kind: "response", id, error: linkError(error).toWire() });
    }
  }
  #settle(id) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
  #applyAck(frame) {
    if (frame.window !== void 0) this.#credit = frame.window;
    if (frame.ack === void 0 || frame.ack <= this.#acked) return;
    while (this.#acked < frame.ack) {
      const done = this.#numbered.shift();
      if (!done) break;
      this.#acked = done.seq;
      this.#queued -= done.bytes;
      if (this.#cursor > 0) {
        this.#cursor--;
        this.#out -= done.bytes;
      }
    }
    this.#progress = this.#now();
    this.#refusals = 0;
    if (this.#acked >= this.#probeSeq) this.#probed = void 0;
  }
  #rewind() {
    this.#cursor = 0;
    this.#out = 0;
  }
  // ---- the connection
  #connect() {
    const error = this.#bye;
    guard(() => this.#options.onState({ phase: "connecting", error }));
    this.#bye = void 0;
    let port;
    try {
      port = this.#options.connect();
    } catch (error2) {
      this.#retry(portFailure(error2 instanceof Error ? error2.message : String(error2)));
      return;
    }
    this.#port = port;
    port.onMessage.addListener((message) => this.#onMessage(port, message));
    port.onDisconnect.addListener(() => this.#lost(port, (this.#options.lastError ?? chromeLastError)()));
    this.#heard = this.#now();
    this.#openedAt = this.#heard;
    this.#post({
      v: 1,
      kind: "hello",
      payload: { ...this.#options.hello(), linkVersion: LINK_VERSION, instanceId: this.#instance, epoch: this.#epoch, life: this.#life, received: this.#received }
    });
    this.#beat();
  }
  #welcomed(frame) {
    const { payload } = frame;
    if (!isRecord2(payload) || typeof payload.epoch !== "string") {
      this.#malformed("welcome without epoch");
      return;
    }
    const resumed = payload.resumed === true && this.#epoch !== "";
    if (!resumed) this.#reset();
    const lost = resumed ? void 0 : this.#dropped;
    this.#dropped = 0;
    this.#epoch = payload.epoch;
    this.#life = typeof payload.life === "string" ? payload.life : "";
    this.#open = true;
    this.#awaySince = void 0;
    this.#openedAt = this.#now();
    this.#progress = this.#openedAt;
    this.#credit = WINDOW_FROM_BROWSER;
    this.#rewind();
    if (resumed) {
      this.#applyAck({ kind: "ack", ack: typeof payload.received === "number" ? payload.received : 0 });
      this.#streams.touch(this.#openedAt);
    }
    const hostVersion = typeof payload.hostVersion === "string" ? payload.hostVersion : void 0;
    this.#pump();
    this.#control("ack");
    guard(() => this.#options.onState({ phase: "connected", hostVersion, epoch: this.#epoch, resumed, lost }));
  }
  /** Starts the stream afresh; what was under way is dropped and counted. */
  #reset() {
    const lost = /* @__PURE__ */ new Set();
    for (const { message } of this.#numbered.drain()) lost.add(message);
    for (const message of this.#backlog.drain()) lost.add(message);
    this.#generation++;
    this.#lastSeq = this.#acked = this.#received = this.#queued = 0;
    this.#streams = new ChunkStreams();
    this.#failPending();
    this.#dropped += lost.size;
  }
  #failPending() {
    for (const { message, reject } of this.#pending.values()) {
      const dispatched = message.written;
      const code = dispatched ? "INDETERMINATE" : "DAEMON_UNAVAILABLE";
      const text2 = dispatched ? "The daemon got the request, and its answer was lost." : "The connection to the daemon ended before the request was sent.";
      reject(new LinkError(code, text2, { details: { dispatched } }));
    }
    this.#pending.clear();
  }
  #newInstance() {
    this.#instance = Array.from({ length: 4 }, () => Math.floor(this.#random() * 2 ** 32).toString(36)).join("-");
    this.#epoch = this.#life = "";
  }
  /** Ends the connection because of what the daemon did. */
  #breakOff(error) {
    const port = this.#port;
    if (!port) return;
    this.#bye = error;
    this.#lost(port, void 0);
    port.disconnect();
  }
  /** The port is gone, or is given up. */
  #lost(port, text2) {
    if (port !== this.#port) return;
    if (this.#open && this.#now() - this.#openedAt >= this.#timing.stable) this.#attempts = 0;
    this.#closeConnection();
    if (this.#refusals >= MAX_REFUSALS) {
      this.#refusals = 0;
      this.#reset();
      this.#newInstance();
    }
    this.#retry(this.#bye ?? portFailure(text2));
  }
  #closeConnection() {
    this.#port = void 0;
    this.#open = false;
    clearTimeout(this.#ackTimer);
    clearTimeout(this.#beatTimer);
    this.#ackTimer = this.#beatTimer = void 0;
    this.#beatAt = 0;
    this.#awaySince ??= this.#now();
    this.#probed = this.#nackedAt = void 0;
    this.#probeSeq = this.#sinceAck = this.#bytesSinceAck = 0;
  }
  #retry(error) {
    this.#bye = error;
    if (this.#awaySince !== void 0 && this.#now() - this.#awaySince > GRACE) this.#reset(), this.#newInstance();
    const replaced = isRecord2(error.details) && error.details.reason === "replaced";
    const lasting = replaced || error.code === "NATIVE_HOST_NOT_INSTALLED" || error.code === "VERSION_MISMATCH";
    const { retryMin, retryMax } = this.#timing;
    const base = lasting ? retryMax : Math.min(retryMax, retryMin * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 20);
    const delay = base * (0.5 + this.#random() / 2);
    if (!replaced) {
      this.#retryTimer = setTimeout(() => {
        this.#retryTimer = void 0;
        this.#connect();
      }, delay);
    }
    guard(() => this.#options.onState({ phase: lasting ? "failed" : "waiting", error, retryAt: replaced ? void 0 : Date.now() + delay }));
  }
  /** Keeps the link alive and finds out when it is not; one timer, set again when it fires. */
  #beat() {
    const port = this.#port;
    if (!port) return;
    const now = this.#now();
    const { ping, silence, probe, welcome } = this.#timing;
    if (this.#beatAt > 0 && now - this.#beatAt > SUSPENDED) this.#heard = Math.max(this.#heard, now - silence + SUSPENDED);
    if (now - this.#heard >= silence || !this.#open && now - this.#openedAt >= welcome) {
      this.#bye = { code: "DAEMON_UNAVAILABLE", message: "The daemon has been silent for too long.", command: "dbridge doctor", suggestions: ["Run `dbridge doctor`."] };
      this.#lost(port, void 0);
      port.disconnect();
      return;
    }
    const asks = this.#open && this.#cursor > 0 && now - Math.max(this.#progress, this.#probed ?? 0) >= probe;
    if (this.#open && (asks || now - this.#sent >= ping)) {
      if (this.#cursor > 0) {
        this.#probed = now;
        this.#probeSeq = this.#numbered.at(this.#cursor - 1)?.seq ?? 0;
      }
      this.#control("ping");
    }
    const own = this.#open ? Math.min(this.#sent + ping, this.#cursor > 0 ? now + probe : Infinity) : this.#openedAt + welcome;
    this.#beatIn(Math.max(1, Math.min(own, this.#heard + silence) - now));
  }
  #beatIn(wait) {
    clearTimeout(this.#beatTimer);
    this.#beatAt = this.#now() + wait;
    this.#beatTimer = setTimeout(() => this.#beat(), wait);
  }
};
function tooLarge(op) {
  return new LinkError("RESULT_TOO_LARGE", `${op}: the message is larger than the link's limit of ${String(MAX_MESSAGE2)} bytes.`, { details: { limit: MAX_MESSAGE2 } });
}
function guard(callback) {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
function chromeLastError() {
  return typeof chrome === "undefined" ? void 0 : chrome.runtime?.lastError?.message;
}

// src/background/menus.ts
var CONNECT = "connect-";
var DISCONNECT = "disconnect";
var STOP = "stop-everything";
var PICK = "show-agent";
async function makeMenus() {
  await chrome.contextMenus.removeAll();
  const contexts = ["page", "action"];
  const anywhere = ["all"];
  const words2 = { observe: "Connect: observe only", act: "Connect: observe and act", control: "Connect: full control" };
  chrome.contextMenus.create({ id: "debug-bridge", title: "Debug Bridge", contexts: anywhere });
  chrome.contextMenus.create({ id: PICK, parentId: "debug-bridge", title: "Show this to the agent", contexts: anywhere });
  chrome.contextMenus.create({ id: "pick-separator", parentId: "debug-bridge", type: "separator", contexts });
  for (const level of LEVELS) chrome.contextMenus.create({ id: CONNECT + level, parentId: "debug-bridge", title: words2[level], contexts });
  chrome.contextMenus.create({ id: DISCONNECT, parentId: "debug-bridge", title: "Disconnect this tab", contexts });
  chrome.contextMenus.create({ id: "separator", parentId: "debug-bridge", type: "separator", contexts });
  chrome.contextMenus.create({ id: STOP, parentId: "debug-bridge", title: "Stop everything", contexts });
}
function onMenu(info, tab, actions2) {
  const id = String(info.menuItemId);
  if (id === STOP) return actions2.stopEverything();
  if (tab?.id === void 0) return;
  if (id === DISCONNECT) return actions2.disconnect(tab.id);
  if (id === PICK) return actions2.pick(tab.id, info.frameId ?? null);
  const level = id.startsWith(CONNECT) ? id.slice(CONNECT.length) : "";
  if (isLevel(level)) actions2.connect(tab.id, level);
}
function onCommand(command, tab, actions2) {
  if (command === "stop-everything") return actions2.stopEverything();
  if (command !== "toggle-connection" || tab?.id === void 0) return;
  if (actions2.connected(tab.id)) actions2.disconnect(tab.id);
  else actions2.connect(tab.id, null);
}

// src/background/navigate.ts
var DEFAULT_TIMEOUT_MS2 = 3e4;
var STEP_MS = 1500;
var METADATA_HOSTS = /* @__PURE__ */ new Set(["169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal"]);
var LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|\[::\]|.*\.localhost)$/;
var Navigation = class {
  #grants;
  #settings;
  /** Address of the daemon, as it told us. */
  #daemonURL;
  #waiting = /* @__PURE__ */ new Map();
  #beginning = /* @__PURE__ */ new Map();
  #leaving = /* @__PURE__ */ new Map();
  #control;
  constructor(grants2, settings2, daemonURL, control) {
    this.#control = control;
    this.#grants = grants2;
    this.#settings = settings2;
    this.#daemonURL = daemonURL;
  }
  async run(call) {
    const grant = this.#grants.get(call.tabId);
    const steps = [call.url !== void 0, call.back, call.forward, call.reload].filter((step) => step === true).length;
    if (steps !== 1) throw new Fault("VALIDATION_ERROR", "Give exactly one of url, back, forward and reload.");
    if (!grant || !leavable(grant) || call.back === true || call.forward === true || !allows(grant.level, "act")) this.#grants.require(call.tabId, "act");
    const target = call.url === void 0 ? void 0 : this.resolve(call.tabId, call.url);
    const undo = await this.#prepare(call);
    try {
      return await this.#go(call, target);
    } finally {
      undo();
    }
  }
  /** What needs the debugger: it is there before the page is left. */
  async #prepare(call) {
    if (call.initScript === void 0 && call.beforeunload === void 0) return () => void 0;
    this.#grants.require(call.tabId, "control");
    const control = this.#control(call.tabId);
    if (call.beforeunload !== void 0) {
      await control.send("Page.getFrameTree", {});
      this.#leaving.set(call.tabId, call.beforeunload === "accept");
    }
    const script = call.initScript === void 0 ? void 0 : await control.send("Page.addScriptToEvaluateOnNewDocument", { source: call.initScript });
    return () => {
      this.#leaving.delete(call.tabId);
      if (script === void 0) return;
      control.send("Page.removeScriptToEvaluateOnNewDocument", script).catch((error) => console.debug("script not removed", messageOf(error)));
    };
  }
  leaving(tabId) {
    return this.#leaving.get(tabId);
  }
  async #go(call, target) {
    const committed = this.#committed(call.tabId, call.timeoutMs ?? DEFAULT_TIMEOUT_MS2);
    try {
      if (target !== void 0) await chrome.tabs.update(call.tabId, { url: target });
      else if (call.reload !== true) await this.#step(call.tabId, call.back === true ? -1 : 1);
      else await chrome.tabs.reload(call.tabId, { bypassCache: call.ignoreCache === true });
    } catch (error) {
      committed.cancel();
      throw new Fault("NAVIGATION_INTERRUPTED", "Chrome did not navigate.", { details: { reason: "refused", chrome: messageOf(error) } });
    }
    return { url: await committed.url };
  }
  /**
   * One step in history as the page itself would go. chrome.tabs.goBack is the
   * toolbar's button: it skips pages that the person never touched, which are most of
   * those an agent came by.
   */
  async #step(tabId, delta) {
    const moves = this.#begins(tabId);
    await chrome.scripting.executeScript({ target: { tabId }, injectImmediately: true, func: (by) => history.go(by), args: [delta] });
    if (!await moves) throw new Error("There is no page in that direction.");
  }
  /** Whether the tab begins to navigate within a moment; there is no other sign of the end of history. */
  #begins(tabId) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(false), STEP_MS);
      const done = (moves) => {
        clearTimeout(timer);
        this.#beginning.delete(tabId);
        resolve(moves);
      };
      this.#beginning.set(tabId, () => done(true));
    });
  }
  /** The main frame is about to load something. */
  begins(tabId) {
    this.#beginning.get(tabId)?.();
    for (const waiting of this.#waiting.get(tabId) ?? []) waiting.begun = true;
  }
  /** The address an agent asked for, or POLICY_DENIED. */
  resolve(tabId, address) {
    const grant = this.#grants.get(tabId);
    const url = URL.parse(address, grant?.url || void 0);
    if (!url) throw new Fault("VALIDATION_ERROR", "That is no address.", { details: { url: address } });
    if (url.href === "about:blank") return url.href;
    if (!isWeb(url)) throw denied(url.href, "Agents load http and https addresses only.");
    const why = restriction(url.href) ?? this.#settings.forbidden(url.href);
    if (why !== null) throw denied(url.href, why);
    if (METADATA_HOSTS.has(url.hostname)) throw denied(url.href, "This address gives out credentials.");
    if (this.#isDaemon(url)) throw denied(url.href, "This is Debug Bridge\u2019s own address.");
    if (grant && !holdsOn(grant, url.href) && !this.#settings.always(url.href)) {
      throw new Fault("POLICY_DENIED", "That address is outside the site the person connected.", {
        details: { url: url.href, site: grant.site, target: siteOf(url.href) },
        suggestions: ['Ask the person to switch on "Any site in this tab" in the Debug Bridge popup.']
      });
    }
    return url.href;
  }
  #isDaemon(url) {
    if (!LOOPBACK.test(url.hostname)) return false;
    const told = parseURL(this.#daemonURL()?.replace(/^ws/, "http"));
    return portOf(url) === (told ? portOf(told) : "9224");
  }
  #committed(tabId, timeoutMs) {
    let waiting;
    let timer;
    const done = () => {
      clearTimeout(timer);
      if (waiting) this.#waiting.get(tabId)?.delete(waiting);
    };
    const url = new Promise((resolve, reject) => {
      waiting = { begun: false, resolve, reject };
      timer = setTimeout(
        () => reject(new Fault("TIMEOUT", "The page did not begin to load in time; a dialog that asks whether to leave may be open.", { details: { dispatched: true } })),
        timeoutMs
      );
      let set = this.#waiting.get(tabId);
      if (!set) this.#waiting.set(tabId, set = /* @__PURE__ */ new Set());
      set.add(waiting);
    }).finally(done);
    url.catch(() => void 0);
    return { url, cancel: () => waiting?.reject(new Fault("CANCELLED", "Not navigated.")) };
  }
  /** The main frame shows a new address. */
  committed(tabId, url) {
    this.begins(tabId);
    for (const waiting of this.#take(tabId)) waiting.resolve(url);
  }
  /** The main frame's load failed before it showed anything. */
  failed(tabId, url, error) {
    for (const waiting of [...this.#waiting.get(tabId) ?? []]) {
      if (error === "net::ERR_ABORTED" && !waiting.begun) continue;
      waiting.reject(new Fault("NAVIGATION_INTERRUPTED", "The page did not load.", { details: { reason: error, url } }));
    }
  }
  gone(tabId) {
    for (const waiting of this.#take(tabId)) waiting.reject(new Fault("NOT_CONNECTED", "The tab is gone.", { details: { reason: "closed" } }));
  }
  #take(tabId) {
    const set = this.#waiting.get(tabId);
    this.#waiting.delete(tabId);
    return set ? [...set] : [];
  }
};
function leavable(grant) {
  return grant.paused === "crashed" || grant.paused === "discarded" || grant.paused === "navigated_to_restricted" && grant.url === "about:blank";
}
function denied(url, why) {
  return new Fault("POLICY_DENIED", why, { details: { url } });
}

// src/background/pick.ts
var PATIENCE_MS = 5 * 6e4;
var TELL_MS = 1e4;
var Picks = class {
  #running = /* @__PURE__ */ new Map();
  #calls;
  #frames;
  #grants;
  constructor(calls2, frames2, grants2) {
    this.#calls = calls2;
    this.#frames = frames2;
    this.#grants = grants2;
  }
  /** Whether there is a connected page to point at. */
  possible(tabId) {
    return this.#grants.get(tabId)?.paused === null;
  }
  /** Lets the person point. A second start begins anew. */
  async start(tabId) {
    await this.#once(tabId, async (signal) => {
      const others = new AbortController();
      const stop = AbortSignal.any([signal, others.signal]);
      const frames2 = this.#frames.of(tabId);
      const first = await Promise.any(frames2.map(async (frame) => {
        const done = await this.#ask(frame, { type: "pick" }, PATIENCE_MS, stop);
        if (stop.aborted) throw new Error("over");
        return { frame, done };
      })).catch(() => null);
      others.abort();
      if (first?.done.picked === true) await this.#tell(first.frame, first.done.label ?? "", signal);
    });
  }
  /** Takes the element that the context menu was opened on. */
  async here(tabId, frameId) {
    await this.#once(tabId, async (signal) => {
      const frame = this.#frames.get(tabId, frameId);
      if (frame === void 0) return;
      const done = await this.#ask(frame, { type: "pick_here" }, TELL_MS, signal);
      if (done.picked === true) await this.#tell(frame, done.label ?? "", signal);
    });
  }
  /** Asks for the note, in the main frame: a child may be too small for it. */
  async #tell(frame, label, signal) {
    const main = this.#frames.get(frame.info.tabId, 0);
    let noted = { answer: "done" };
    try {
      if (main !== void 0) noted = await this.#ask(main, { type: "note", text: label || "element" }, PATIENCE_MS, signal);
    } catch (error) {
      noted = { answer: "cannot" };
      console.debug("no note", messageOf(error));
    }
    const off = noted.answer !== "done" || signal.aborted;
    await this.#ask(frame, { type: "pick_tell", off, note: noted.words ?? "" }, TELL_MS);
  }
  async #once(tabId, run) {
    this.#running.get(tabId)?.abort();
    if (!this.possible(tabId)) return;
    const own = new AbortController();
    this.#running.set(tabId, own);
    try {
      await run(own.signal);
    } catch (error) {
      console.debug("nothing picked", messageOf(error));
    } finally {
      if (this.#running.get(tabId) === own) this.#running.delete(tabId);
    }
  }
  async #ask(frame, command, ms, signal) {
    const answer = await this.#calls.ask(frame, command, ms, signal);
    return answer.result ?? {};
  }
};

// src/popup/messages.ts
var POPUP_PORT = "popup";

// src/background/popup.ts
var PUSH_MS = 30;
var Popups = class {
  #viewers = /* @__PURE__ */ new Set();
  #picks;
  #confirms;
  #recordings;
  #tabs;
  #grants;
  #groups;
  #settings;
  #debugger;
  #health;
  #retry;
  #timer;
  constructor(picks2, confirms2, recordings2, tabs2, grants2, groups2, settings2, lane2, health2, retry) {
    this.#picks = picks2;
    this.#confirms = confirms2;
    this.#recordings = recordings2;
    this.#tabs = tabs2;
    this.#grants = grants2;
    this.#groups = groups2;
    this.#settings = settings2;
    this.#debugger = lane2;
    this.#health = health2;
    this.#retry = retry;
  }
  get open() {
    return this.#viewers.size > 0;
  }
  accept(port, ready2) {
    const viewer = { port, tabId: null, error: null };
    this.#viewers.add(viewer);
    port.onDisconnect.addListener(() => this.#viewers.delete(viewer));
    port.onMessage.addListener((raw) => {
      void ready2.then(async () => {
        const request = decodeRequest(raw);
        if (!request) return;
        viewer.error = null;
        try {
          await this.#run(viewer, request);
        } catch (error) {
          viewer.error = messageOf(error);
        }
        await this.#push(viewer);
      });
    });
  }
  /** Something that popups show has changed. */
  changed() {
    if (!this.open) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = void 0;
      for (const viewer of this.#viewers) void this.#push(viewer);
    }, PUSH_MS);
  }
  async #run(viewer, request) {
    switch (request.kind) {
      case "watch":
        viewer.tabId = request.tabId;
        void this.#health.measure().then(() => this.changed());
        if (this.#grants.get(request.tabId)) void this.#recordings.ask("status", request.tabId).catch(() => void 0);
        return;
      case "record":
        await this.#recordings.ask(request.deed, request.tabId, request.deed === "mark" ? { text: request.note } : { note: request.note });
        return;
      case "connect":
        await this.#settings.save({ halted: false, levelDefault: request.level, ...this.#released(request.tabId) });
        await this.#tabs.connect(request.tabId, { level: request.level, sessionId: request.sessionId, anySite: request.anySite }, "click");
        this.changed();
        return;
      case "disconnect":
        await this.#tabs.disconnect(request.tabId, "detached_by_user", true);
        this.changed();
        return;
      case "pick":
        await this.#show(request.tabId);
        void this.#picks.start(request.tabId).catch((error) => console.error(messageOf(error)));
        return;
      case "confirm":
        this.#confirms.answer(request.id, request.allow);
        return;
      case "show":
        await this.#show(request.tabId);
        return;
      case "tools":
        await this.#grants.allowTools(request.tabId, request.site, request.allow);
        this.changed();
        return;
      case "stopEverything":
        await this.stopEverything();
        return;
      case "retry":
        this.#retry();
        return;
    }
  }
  async #show(tabId) {
    const tab = await chrome.tabs.update(tabId, { active: true });
    if (tab?.windowId !== void 0) await chrome.windows.update(tab.windowId, { focused: true });
  }
  async stopEverything() {
    await this.#settings.save({ halted: true });
    await this.#tabs.disconnectAll();
    this.changed();
  }
  /** A click on Connect lifts what a press on Cancel held back for the site. */
  #released(tabId) {
    const grant = this.#grants.get(tabId);
    const { alwaysSites } = this.#settings.current;
    if (!alwaysSites.some((entry) => entry.suspended) || grant) return {};
    return { alwaysSites: alwaysSites.map((entry) => ({ ...entry, suspended: false })) };
  }
  async #push(viewer) {
    if (viewer.tabId === null) return;
    const state = await this.#state(viewer.tabId, viewer.error);
    try {
      viewer.port.postMessage(state);
    } catch {
      this.#viewers.delete(viewer);
    }
  }
  async #state(tabId, error) {
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    const settings2 = this.#settings.current;
    const grant = this.#grants.get(tabId);
    return {
      tab: tab ? {
        tabId,
        title: tab.title ?? "",
        url: tab.url ?? "",
        site: siteOf(tab.url),
        obstacle: this.#tabs.obstacle(tab.url),
        grant: grant ? {
          level: grant.level,
          sessionId: grant.sessionId,
          anySite: grant.anySite,
          site: grant.site,
          paused: grant.paused,
          debugging: this.#debugger.attached(tabId),
          origin: grant.origin,
          group: this.#groups.labelOf(tabId),
          tools: grant.toolsAsked === void 0 ? null : { site: grant.toolsAsked, allowed: grant.tools?.includes(grant.toolsAsked) === true }
        } : null
      } : null,
      recording: this.#recordings.get(tabId),
      questions: this.#confirms.list(tabId).map((question) => ({ ...question, wants: wants(question), here: question.tabId === tabId })),
      defaults: { level: settings2.levelDefault, sessionId: settings2.sessionDefault },
      debuggerMode: settings2.debuggerMode,
      halted: settings2.halted,
      connected: this.#grants.all().map(({ tabId: id, title, site, level, sessionId, paused }) => ({ tabId: id, title, site, level, sessionId, paused })),
      agents: this.#health.agents,
      hops: this.#health.hops(),
      error: error ?? this.#groups.refusal(tabId)
    };
  }
};
function isOwnPage(sender) {
  if (sender?.id !== chrome.runtime.id || sender.url === void 0) return false;
  return sender.url.startsWith(chrome.runtime.getURL("popup.html")) || sender.url.startsWith(chrome.runtime.getURL("options.html"));
}
function isPopupPort(port) {
  return port.name === POPUP_PORT && isOwnPage(port.sender);
}
function decodeRequest(raw) {
  if (typeof raw !== "object" || raw === null) return null;
  const { kind, tabId, deed, note, level, sessionId, anySite, site, allow, id } = raw;
  if (kind === "stopEverything" || kind === "retry") return { kind };
  if (kind === "confirm" && typeof id === "string" && typeof allow === "boolean") return { kind, id, allow };
  if (typeof tabId !== "number" || !Number.isInteger(tabId)) return null;
  if (kind === "watch" || kind === "disconnect" || kind === "show" || kind === "pick") return { kind, tabId };
  if (kind === "record" && (deed === "start" || deed === "mark" || deed === "stop" || deed === "save") && typeof note === "string") {
    return { kind, tabId, deed, note: note.slice(0, 500) };
  }
  if (kind === "tools" && typeof site === "string" && typeof allow === "boolean") return { kind, tabId, site, allow };
  if (kind === "connect" && isLevel(level) && isSessionName(sessionId) && typeof anySite === "boolean") return { kind, tabId, level, sessionId, anySite };
  return null;
}

// src/background/settings.ts
var IDLE_SECONDS = { min: 5, max: 3600, usual: 30 };
var MAX_GRANT_MINUTES = 7 * 24 * 60;
var MAX_LIST = 500;
var MAX_SECRET = 500;
function readSettings(stored) {
  const telemetry = isRecord3(stored.telemetry) ? stored.telemetry : {};
  return {
    alwaysSites: list3(stored.alwaysSites).flatMap((entry) => {
      if (!isRecord3(entry) || typeof entry.site !== "string" || !isLevel(entry.level)) return [];
      const site = normalEntry(entry.site);
      return site === null ? [] : [{ site, level: entry.level, suspended: entry.suspended === true }];
    }),
    allow: entries(stored.allow),
    deny: entries(stored.deny),
    debuggerMode: stored.debuggerMode === "always" || stored.debuggerMode === "never" ? stored.debuggerMode : "auto",
    idleSeconds: within(stored.idleSeconds, IDLE_SECONDS.min, IDLE_SECONDS.max, IDLE_SECONDS.usual),
    redact: list3(stored.redact).filter((secret) => typeof secret === "string" && secret.length > 0 && secret.length <= MAX_SECRET),
    telemetry: {
      dom_snapshot: telemetry.dom_snapshot !== false,
      dom_mutations: telemetry.dom_mutations !== false,
      ui_tree: telemetry.ui_tree !== false,
      console: telemetry.console !== false,
      errors: telemetry.errors !== false,
      state: telemetry.state !== false
    },
    installName: typeof stored.installName === "string" ? stored.installName.slice(0, 64) : "",
    sessionDefault: isSessionName(stored.sessionDefault) ? stored.sessionDefault : "default",
    levelDefault: LEVELS.find((level) => level === stored.levelDefault) ?? "act",
    grantMinutes: within(stored.grantMinutes, 0, MAX_GRANT_MINUTES, 0),
    agentTabs: stored.agentTabs === "close" ? "close" : "keep",
    ring: stored.ring !== false,
    halted: stored.halted === true
  };
}
var SettingsStore = class {
  #current = readSettings({});
  #changed;
  constructor(changed) {
    this.#changed = changed;
  }
  get current() {
    return this.#current;
  }
  async load() {
    this.#current = readSettings(await chrome.storage.local.get(null));
  }
  /** Storage told of a change, made here or in the options page. */
  async reload() {
    const before = this.#current;
    await this.load();
    this.#changed(this.#current, before);
  }
  async save(part) {
    this.#current = { ...this.#current, ...part };
    await chrome.storage.local.set(part);
  }
  enabledTelemetry() {
    return TELEMETRY.filter((kind) => this.#current.telemetry[kind]);
  }
  /** Why the lists forbid an address, in the person's words; null when they do not. Deny wins over allow. */
  forbidden(url) {
    if (this.#current.deny.some((entry) => covers(entry, url))) return "You put this site on the deny list.";
    if (this.#current.allow.length > 0 && !this.#current.allow.some((entry) => covers(entry, url))) {
      return "This site is not on your allow list.";
    }
    return null;
  }
  /** The always-connect entry of an address, unless it is held. */
  always(url) {
    if (this.#current.halted || this.forbidden(url) !== null) return null;
    return this.#current.alwaysSites.find((entry) => !entry.suspended && covers(entry.site, url)) ?? null;
  }
};
async function installId() {
  const stored = await chrome.storage.local.get("installId");
  if (typeof stored.installId === "string" && stored.installId !== "") return stored.installId;
  const made = crypto.randomUUID();
  await chrome.storage.local.set({ installId: made });
  return made;
}
function usualName(id) {
  return "Browser " + id.slice(0, 4);
}
function entries(value) {
  const found = /* @__PURE__ */ new Set();
  for (const entry of list3(value)) {
    const normal = typeof entry === "string" ? normalEntry(entry) : null;
    if (normal !== null) found.add(normal);
  }
  return [...found];
}
function list3(value) {
  return Array.isArray(value) ? value.slice(0, MAX_LIST) : [];
}
function within(value, min, max, usual) {
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max ? value : usual;
}
function isRecord3(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/background/questions.ts
var ORPHAN_MS = 2e4;
var Questions = class {
  #tabs = /* @__PURE__ */ new Map();
  #changed;
  constructor(changed) {
    this.#changed = changed;
  }
  has(tabId) {
    return this.#tabs.has(tabId);
  }
  /** Takes one round of a question and what came of it. */
  async round(tabId, command, answer) {
    if (command.off !== true) this.#set(tabId, true);
    const done = await answer;
    const { result } = done ?? {};
    if (command.off === true || result?.answer !== void 0) this.#set(tabId, false);
    return done;
  }
  #set(tabId, on) {
    const was = this.#tabs.has(tabId);
    clearTimeout(this.#tabs.get(tabId));
    if (on) this.#tabs.set(tabId, setTimeout(() => this.#set(tabId, false), ORPHAN_MS));
    else this.#tabs.delete(tabId);
    if (was !== on) this.#changed(tabId);
  }
};

// src/background/recordings.ts
var pictureQuality = 70;
var Recordings = class {
  #views = /* @__PURE__ */ new Map();
  #grants;
  #settings;
  #request;
  #emit;
  #shown;
  constructor(grants2, settings2, request, emit, shown2) {
    this.#grants = grants2;
    this.#settings = settings2;
    this.#request = request;
    this.#emit = emit;
    this.#shown = shown2;
  }
  get(tabId) {
    return this.#grants.get(tabId) === void 0 ? null : this.#views.get(tabId) ?? null;
  }
  /** Asks the daemon, in the person's name. */
  async ask(deed, tabId, fields2 = {}) {
    this.heed(await this.#request(`record.${deed}`, { tabId, ...fields2 }));
  }
  /** The daemon tells of a tab. */
  heed(payload) {
    if (typeof payload !== "object" || payload === null) return;
    const { tabId, on, person, since, ring, path, warning } = payload;
    if (typeof tabId !== "number") return;
    this.#views.set(tabId, {
      on: on === true,
      person: person === true,
      ring: ring === true,
      since: typeof since === "number" ? since : 0,
      path: typeof path === "string" ? path : "",
      warning: typeof warning === "string" ? warning : ""
    });
    this.#shown(tabId);
  }
  forget(tabId) {
    this.#views.delete(tabId);
  }
  /** The daemon was told of a connection, and is to know whether its last minute is kept. */
  announce(tabId) {
    const grant = this.#grants.get(tabId);
    if (grant?.origin === "always" && grant.paused === null && this.#settings.current.ring) this.#emit("record.ring", { tabId, on: true });
  }
  /** The switch was turned. */
  settingsChanged() {
    for (const { tabId, origin } of this.#grants.all()) {
      if (origin === "always") this.#emit("record.ring", { tabId, on: this.#settings.current.ring });
    }
  }
  /** A picture of a tab without the debugger: of the one that is in front of its window. */
  async picture(tabId) {
    const tab = await chrome.tabs.get(tabId);
    if (this.#grants.get(tabId)?.paused !== null || !tab.active) throw new Fault("CAPABILITY_MISSING", "The tab is not in front.", { details: { tabId } });
    const url = await chrome.tabs.captureVisibleTab(tab.windowId, { format: "jpeg", quality: pictureQuality });
    const after = await chrome.tabs.get(tabId);
    if (!after.active || after.windowId !== tab.windowId) throw new Fault("CAPABILITY_MISSING", "The tab is not in front.", { details: { tabId } });
    return { data: url.slice(url.indexOf(",") + 1) };
  }
};

// src/background/tabs.ts
var PROBE_MS = 1500;
var SETTLE_MS2 = 150;
var REATTACH_MS = 3100;
var Tabs = class {
  #grants;
  #settings;
  #frames;
  #debugger;
  #out;
  #shown;
  #kin;
  #connecting = /* @__PURE__ */ new Map();
  #heirs = /* @__PURE__ */ new Map();
  constructor(grants2, settings2, frames2, lane2, out2, shown2, kin) {
    this.#grants = grants2;
    this.#settings = settings2;
    this.#frames = frames2;
    this.#debugger = lane2;
    this.#out = out2;
    this.#shown = shown2;
    this.#kin = kin;
  }
  /** Why a page cannot be connected, in the person's words; null when it can. */
  obstacle(url) {
    return restriction(url) ?? this.#settings.forbidden(url);
  }
  /**
   * The person said yes (or their always-connect list did). With `from` the tab takes over
   * what that one is granted, and nothing where that one's grant does not reach: by now
   * either may have changed.
   */
  async connect(tabId, options, origin, from) {
    const tab = await chrome.tabs.get(tabId);
    const url = tab.url ?? "";
    const empty = from !== void 0 && isEmpty(url);
    const obstacle = empty ? null : this.obstacle(url);
    const site = empty ? from.site : siteOf(url);
    if (obstacle !== null || site === null) throw new Fault("POLICY_DENIED", obstacle ?? "This page belongs to no site.");
    if (from && !empty && !holdsOn(from, url)) throw beyond(tabId, url);
    const before = this.#grants.get(tabId);
    const main = await chrome.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
    if (from) {
      const opener = this.#grants.get(from.tabId);
      if (!opener || opener.paused !== null || !allows(opener.level, options.level)) throw beyond(tabId, url);
    }
    const minutes = this.#settings.current.grantMinutes;
    const grant = {
      tabId,
      site,
      ...options,
      expiresAt: from ? from.expiresAt : minutes > 0 && origin === "click" ? Date.now() + minutes * 6e4 : null,
      since: before?.since ?? Date.now(),
      epoch: crypto.randomUUID(),
      origin,
      paused: null,
      url,
      title: tab.title ?? "",
      documentId: main?.documentId ?? "",
      ...from ? { openerTabId: from.tabId } : {},
      // A change of the level or the session takes no answer of the person's back.
      ...before?.tools !== void 0 && before.site === site ? { tools: before.tools, toolsAsked: site } : {}
    };
    this.#grants.allow(tabId);
    await this.#grants.set(grant);
    if (before && before.level === "control" && !allows(options.level, "control")) await this.#debugger().detach(tabId, "own", true);
    this.#out.emit("tab.connected", this.info(grant));
    if (before?.paused) this.#out.emit("tab.resumed", { tabId, reason: before.paused, url });
    this.#shown(tabId);
    this.#frames().reconfigure(tabId);
    await this.#frames().inject({ tabId, allFrames: true });
    this.#attachIfAlways(tabId);
    const late = await chrome.tabs.get(tabId).catch(() => null);
    if (late?.title !== void 0 && late.url === url) await this.updated(tabId, { title: late.title });
  }
  /** Ends a connection. declined: the person (or the daemon) said no, and the always-connect list heeds it. */
  async disconnect(tabId, reason, declined) {
    const had = this.#grants.all().some((grant) => grant.tabId === tabId) || this.#grants.expired().some((grant) => grant.tabId === tabId);
    await this.#grants.remove(tabId, declined);
    if (!had) return;
    this.#frames().stop(tabId);
    await this.#debugger().detach(tabId, "own");
    this.#out.emit("tab.disconnected", { tabId, reason });
    this.#kin.ended(tabId);
    this.#shown(tabId);
  }
  async disconnectAll() {
    await Promise.all(this.#grants.all().map((grant) => this.disconnect(grant.tabId, "detached_by_user", true)));
    await this.#debugger().detachAll();
  }
  info(grant) {
    const { debuggerMode } = this.#settings.current;
    return {
      tabId: grant.tabId,
      url: grant.url,
      title: grant.title,
      level: grant.level,
      sessionId: grant.sessionId,
      anySite: grant.anySite,
      site: grant.site,
      expiresAt: grant.expiresAt ?? 0,
      userAgent: navigator.userAgent,
      debuggerMode,
      eval: grant.level === "control" && debuggerMode !== "never",
      telemetry: this.#settings.enabledTelemetry(),
      frames: this.#frames().of(grant.tabId).map((frame) => frame.info),
      epochOfGrant: grant.epoch,
      openerTabId: grant.openerTabId ?? 0
    };
  }
  /** Everything, after the link came (back): the state, and which of it is paused. */
  announce() {
    const grants2 = this.#grants.all();
    this.#out.emit("state", { tabs: grants2.map((grant) => this.info(grant)) });
    for (const grant of grants2) {
      if (grant.paused !== null) this.#out.emit("tab.paused", { tabId: grant.tabId, reason: grant.paused, url: grant.url });
    }
  }
  /** Grants outlive the worker, but not what happened to their tabs meanwhile. */
  async reconcile() {
    await Promise.all(
      this.#grants.all().map(async (grant) => {
        const tab = await chrome.tabs.get(grant.tabId).catch(() => null);
        if (!tab) return this.#grants.forget(grant.tabId);
        const main = await chrome.webNavigation.getFrame({ tabId: grant.tabId, frameId: 0 }).catch(() => null);
        if (main && main.documentId !== grant.documentId) await this.#mainDocument(grant.tabId, main.documentId, main.url);
        await this.#frames().inject({ tabId: grant.tabId, allFrames: true });
        this.#shown(grant.tabId);
        return void 0;
      })
    );
  }
  // --- what happens to a tab ---------------------------------------------------
  async committed(details) {
    const { tabId, frameId, documentId, url } = details;
    if (details.documentLifecycle !== "active") return;
    if (frameId === 0) {
      await this.#mainDocument(tabId, documentId, url);
      this.#shown(tabId);
    }
    if (this.#grants.get(tabId)?.paused !== null) return;
    if (this.#settings.forbidden(url) !== null) return;
    await this.#frames().inject({ tabId, documentIds: [documentId] });
  }
  /** A main document, told by a navigation event, a bridge that was faster, or the debugger. Once each. */
  async #mainDocument(tabId, documentId, url) {
    let grant = this.#grants.get(tabId);
    if (!grant) {
      grant = await this.#inherited(tabId, url) ?? await this.#alwaysConnect(tabId, url);
      if (!grant) return;
    }
    if (grant.documentId === documentId) return;
    const paused = this.#judge(grant, url);
    void this.#grants.update(tabId, { documentId, url, title: "", paused });
    this.#frames().navigated(tabId, documentId);
    this.#debugger().warmUp(tabId);
    const turned = this.#turn(tabId, grant.paused, paused, url);
    if (paused === null) {
      this.#levelMayHaveChanged(grant);
      this.#out.emit("tab.navigated", { tabId, url, sameDocument: false, documentId, title: "" });
    }
    await turned;
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    const title = tab?.title ?? "";
    const now = this.#grants.get(tabId);
    if (now?.documentId !== documentId || now.title !== "" || title === "" || now.paused !== null) return;
    void this.#grants.update(tabId, { title });
    this.#out.emit("tab.updated", { tabId, title });
  }
  mainDocument = (tabId, documentId, url) => this.#mainDocument(tabId, documentId, url);
  /** The debugger saw the main frame commit, ahead of the navigation event: nothing of a foreign page may get out. */
  committedByCdp(tabId, url) {
    const grant = this.#grants.get(tabId);
    if (!grant || grant.paused !== null) return;
    const paused = this.#judge(grant, url);
    if (paused === null) return;
    void this.#grants.update(tabId, { paused, url });
    void this.#turn(tabId, null, paused, url);
  }
  #judge(grant, url) {
    if (grant.paused === null && isEmpty(grant.url) && isEmpty(url)) return null;
    if (this.obstacle(url) !== null) return "navigated_to_restricted";
    if (holdsOn(grant, url)) return null;
    const always = this.#settings.always(url);
    if (!always) return "left_site";
    void this.#grants.update(grant.tabId, { site: siteOf(url) ?? grant.site, level: always.level, origin: "always", anySite: false });
    return null;
  }
  #levelMayHaveChanged(before) {
    const now = this.#grants.get(before.tabId);
    if (!now || now.level === before.level && now.site === before.site) return;
    if (before.level === "control" && !allows(now.level, "control")) void this.#debugger().detach(before.tabId, "own", true);
    this.#out.emit("tab.connected", this.info(now));
  }
  async #turn(tabId, before, now, url) {
    if (now !== null) {
      this.#frames().stop(tabId);
      if (before !== now) this.#out.emit("tab.paused", { tabId, reason: now, url });
      this.#shown(tabId);
      await this.#debugger().detach(tabId, "own");
      return;
    }
    if (before === null) return;
    this.#out.emit("tab.resumed", { tabId, reason: before, url });
    this.#shown(tabId);
    this.#attachIfAlways(tabId);
  }
  /** Gives a tab that an agent opened its opener's grant; settles when it has it. */
  async inherit(tabId, openerTabId, level, timeoutMs) {
    const connected = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#heirs.delete(tabId);
        reject(new Fault("TIMEOUT", "The new tab did not begin to load in time.", { details: { tabId, dispatched: true } }));
      }, timeoutMs);
      this.#heirs.set(tabId, {
        openerTabId,
        level,
        settled: (fault) => {
          clearTimeout(timer);
          if (fault) reject(fault);
          else resolve();
        }
      });
    });
    const main = await chrome.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
    if (main && main.url !== "" && main.url !== "about:blank") await this.#mainDocument(tabId, main.documentId, main.url);
    await connected;
  }
  /** Whether a tab may still take over the grant of the one it came from. */
  expects(tabId) {
    return this.#heirs.has(tabId);
  }
  /** A page opened a tab: it may take the grant over, on the same site. */
  popup(tabId, openerTabId, url) {
    const opener = this.#grants.get(openerTabId);
    if (!opener || opener.paused !== null || this.#heirs.has(tabId)) return;
    if (url !== "" && url !== "about:blank" && siteOf(url) !== opener.site) {
      this.#out.emit("tab.popup", { openerTabId, url });
      return;
    }
    this.#heirs.set(tabId, { openerTabId, level: null, settled: () => void 0 });
  }
  /** The grant of a tab that came from a connected one, decided by what it shows now. */
  async #inherited(tabId, url) {
    const heir = this.#heirs.get(tabId);
    if (!heir || url === "" || url === "about:blank") return void 0;
    this.#heirs.delete(tabId);
    const opener = this.#grants.get(heir.openerTabId);
    const reaches = opener !== void 0 && opener.paused === null && (heir.level === null ? siteOf(url) === opener.site : holdsOn(opener, url));
    if (!opener || !reaches || this.obstacle(url) !== null || this.#grants.declined(tabId)) {
      if (heir.level === null && opener) this.#out.emit("tab.popup", { openerTabId: heir.openerTabId, url });
      this.#kin.ended(tabId);
      heir.settled(beyond(tabId, url));
      return void 0;
    }
    const options = { level: heir.level ?? opener.level, sessionId: opener.sessionId, anySite: false };
    const connecting = this.connect(tabId, options, opener.origin, heir.level === null ? { ...opener, anySite: false } : opener);
    this.#connecting.set(tabId, connecting);
    try {
      await connecting;
      this.#kin.inherited(tabId, heir.openerTabId);
      heir.settled(null);
    } catch (error) {
      this.#kin.ended(tabId);
      heir.settled(error instanceof Fault ? error : new Fault("INTERNAL_ERROR", messageOf(error)));
    } finally {
      this.#connecting.delete(tabId);
    }
    return this.#grants.get(tabId);
  }
  async #alwaysConnect(tabId, url) {
    const always = this.#settings.always(url);
    if (!always || this.#grants.declined(tabId) || this.obstacle(url) !== null) return void 0;
    let connecting = this.#connecting.get(tabId);
    if (!connecting) {
      const options = { level: always.level, sessionId: this.#settings.current.sessionDefault, anySite: false };
      connecting = this.#grantAlways(tabId, options).catch((error) => console.debug("not connected by itself", url, messageOf(error))).finally(() => this.#connecting.delete(tabId));
      this.#connecting.set(tabId, connecting);
    }
    await connecting;
    return this.#grants.get(tabId);
  }
  async #grantAlways(tabId, options) {
    const tab = await chrome.tabs.get(tabId);
    if (this.#settings.always(tab.url) === null) return;
    await this.connect(tabId, options, "always");
  }
  /** Settles when an always-connect grant of the tab that is being made is made. */
  connecting(tabId) {
    return this.#connecting.get(tabId) ?? Promise.resolve();
  }
  sameDocument(details) {
    const { tabId, frameId, url, documentId } = details;
    if (details.documentLifecycle !== "active") return;
    const grant = this.#grants.get(tabId);
    if (!grant || grant.paused !== null) return;
    this.#frames().moved(tabId, frameId, url);
    if (frameId !== 0) return;
    void this.#grants.update(tabId, { url });
    this.#out.emit("tab.navigated", { tabId, url, sameDocument: true, documentId, title: grant.title });
  }
  async updated(tabId, change) {
    const grant = this.#grants.get(tabId);
    if (!grant) return;
    if (change.status !== void 0) this.#shown(tabId);
    if (change.discarded === true) await this.#pause(tabId, "discarded");
    if (change.title !== void 0 && change.title !== grant.title && grant.paused === null) {
      void this.#grants.update(tabId, { title: change.title });
      this.#out.emit("tab.updated", { tabId, title: change.title });
    }
  }
  /** The tab has a new id: the connection follows it. */
  async replaced(newTabId, tabId) {
    this.#debugger().forget(tabId);
    this.#frames().forget(tabId);
    const had = this.#grants.get(tabId);
    await this.#grants.move(tabId, newTabId);
    if (!had) return;
    this.#out.emit("tab.updated", { tabId, newTabId });
    this.#shown(newTabId);
    const tab = await chrome.tabs.get(newTabId).catch(() => null);
    if (tab?.discarded) return this.#pause(newTabId, "discarded");
    await this.#frames().inject({ tabId: newTabId, allFrames: true });
  }
  async removed(tabId) {
    const had = this.#grants.get(tabId);
    this.#debugger().forget(tabId);
    this.#frames().forget(tabId);
    this.#heirs.get(tabId)?.settled(new Fault("NOT_CONNECTED", "The tab is gone.", { details: { reason: "closed" } }));
    this.#heirs.delete(tabId);
    await this.#grants.forget(tabId);
    if (had) this.#out.emit("tab.disconnected", { tabId, reason: "closed" });
  }
  /** Told by the debugger, or found out by mainLost. */
  async crashed(tabId) {
    await this.#pause(tabId, "crashed");
  }
  /** The main frame's bridge fell silent. Chrome tells no extension of a crash, so the page is asked for a sign of life. */
  async mainLost(tabId, documentId) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS2));
    const grant = this.#grants.get(tabId);
    if (!grant || grant.paused !== null || grant.documentId !== documentId || this.#frames().get(tabId, 0)) return;
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (!tab) return;
    if (tab.discarded) return this.#pause(tabId, "discarded");
    const alive = await withDeadline(
      chrome.scripting.executeScript({ target: { tabId }, func: () => true, injectImmediately: true }).then(() => true),
      PROBE_MS,
      () => new Error("no sign of life")
    ).catch(() => false);
    const now = this.#grants.get(tabId);
    if (alive || !now || now.paused !== null || now.documentId !== documentId || this.#frames().get(tabId, 0)) return;
    await this.#pause(tabId, "crashed");
  }
  async #pause(tabId, reason) {
    const grant = this.#grants.get(tabId);
    if (!grant || grant.paused === reason) return;
    await this.#grants.update(tabId, { paused: reason, documentId: "" });
    await this.#turn(tabId, grant.paused, reason, grant.url);
  }
  /** Chrome took the debugger off a tab. */
  async detached(tabId, reason) {
    const grant = this.#grants.get(tabId);
    if (!grant) return;
    if (reason === "canceled_by_user") {
      const always = this.#settings.current.alwaysSites;
      const held = always.map((entry) => siteOf("https://" + entry.site) === grant.site || entry.site === grant.site ? { ...entry, suspended: true } : entry);
      await Promise.all([this.#settings.save({ alwaysSites: held }), this.disconnect(tabId, "detached_by_user", true)]);
      return;
    }
    if (reason === "replaced_with_devtools") {
      this.#frames().reconfigure(tabId);
      return;
    }
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (!tab) return;
    if (tab.discarded) return this.#pause(tabId, "discarded");
    const url = tab.pendingUrl ?? tab.url ?? "";
    if (restriction(tab.url) !== null || restriction(url) !== null) {
      if (grant.paused === null) {
        await this.#grants.update(tabId, { paused: "navigated_to_restricted", documentId: "", url });
        await this.#turn(tabId, null, "navigated_to_restricted", url);
      }
      return;
    }
    this.#debugger().coolDown(tabId);
    this.#frames().reconfigure(tabId);
    setTimeout(() => this.#attachIfAlways(tabId), REATTACH_MS);
  }
  #attachIfAlways(tabId) {
    const grant = this.#grants.get(tabId);
    if (this.#settings.current.debuggerMode !== "always" || grant?.level !== "control" || grant.paused !== null) return;
    this.#debugger().acquire(tabId).catch((error) => console.debug("debugger not attached", tabId, messageOf(error)));
  }
  /** Settings changed: lists may now forbid a tab; what the daemon knows of tabs may be old. */
  async settingsChanged(now, before) {
    const told = ({ debuggerMode, telemetry }) => JSON.stringify([debuggerMode, telemetry]);
    const tell = told(now) !== told(before);
    for (const grant of this.#grants.all()) {
      if (this.#settings.forbidden(grant.url) !== null && grant.paused === null) {
        await this.disconnect(grant.tabId, "detached_by_user", true);
        continue;
      }
      if (!tell) continue;
      this.#out.emit("tab.connected", this.info(grant));
      this.#attachIfAlways(grant.tabId);
    }
    this.#frames().enforceLists();
  }
  /** Connections whose time is over. */
  async expire() {
    for (const grant of this.#grants.expired()) await this.disconnect(grant.tabId, "detached_by_user", true);
  }
};
function beyond(tabId, url) {
  return new Fault("POLICY_DENIED", "The new tab went to where its opener\u2019s grant does not reach.", {
    details: { tabId, url },
    suggestions: ["Ask the person to click Connect in the Debug Bridge popup of that tab."]
  });
}
function isEmpty(url) {
  return url === "" || url === "about:blank";
}

// src/background/windows.ts
var Windows = class {
  #grants;
  #tabs;
  #navigation;
  #groups;
  constructor(grants2, tabs2, navigation2, groups2) {
    this.#grants = grants2;
    this.#tabs = tabs2;
    this.#navigation = navigation2;
    this.#groups = groups2;
  }
  async open(call) {
    const opener = this.#opener(call);
    const url = this.#navigation.resolve(opener.tabId, call.url);
    const level = call.level !== void 0 && allows(opener.level, call.level) ? call.level : opener.level;
    const { windowId } = await chrome.tabs.get(opener.tabId);
    let tab;
    try {
      tab = await chrome.tabs.create({ url, active: !call.background, openerTabId: opener.tabId, windowId });
    } catch (error) {
      throw new Fault("NAVIGATION_INTERRUPTED", "Chrome opened no tab.", { details: { reason: "refused", chrome: messageOf(error) } });
    }
    if (tab.id === void 0) throw new Fault("NAVIGATION_INTERRUPTED", "Chrome opened no tab.", { details: { reason: "refused" } });
    const [inherited] = await Promise.allSettled([
      url === "about:blank" ? this.#tabs.connect(tab.id, { level, sessionId: opener.sessionId, anySite: opener.anySite }, opener.origin, opener) : this.#tabs.inherit(tab.id, opener.tabId, level, call.timeoutMs),
      call.agent && this.#groups.adopt(tab.id, call.agent, opener)
    ]);
    if (inherited.status === "rejected") {
      this.#groups.ended(tab.id);
      throw inherited.reason;
    }
    return { tabId: tab.id };
  }
  /** The tab whose grant the new one takes: the one named, or one that holds on the address. */
  #opener(call) {
    if (call.openerTabId !== void 0) {
      const opener2 = this.#grants.require(call.openerTabId, "act");
      if (call.sessionId !== void 0 && call.sessionId !== opener2.sessionId) {
        throw new Fault("POLICY_DENIED", "A new tab joins the session of the tab it comes from.", { details: { sessionId: opener2.sessionId } });
      }
      return opener2;
    }
    const live = this.#grants.all().filter((grant) => grant.paused === null && allows(grant.level, "act") && (call.sessionId ?? grant.sessionId) === grant.sessionId);
    const fitting = live.find((grant) => {
      try {
        this.#navigation.resolve(grant.tabId, call.url);
        return true;
      } catch {
        return false;
      }
    });
    const opener = fitting ?? live[0];
    if (opener) return opener;
    throw new Fault("NOT_CONNECTED", "No tab is connected that a new one could take its grant from.", {
      suggestions: ["Ask the person to open the Debug Bridge popup in a tab and click Connect, at level act or control."]
    });
  }
  /** tabs.close {tabId} → {} */
  async close(tabId) {
    const grant = this.#grants.get(tabId);
    const asleep = grant?.paused === "crashed" || grant?.paused === "discarded";
    if (!grant || !asleep || !allows(grant.level, "act")) this.#grants.require(tabId, "act");
    await chrome.tabs.remove(tabId);
  }
  /** tabs.activate {tabId} → {} */
  async activate(tabId) {
    this.#grants.require(tabId, "act");
    const tab = await chrome.tabs.update(tabId, { active: true });
    if (tab !== void 0) await chrome.windows.update(tab.windowId, { focused: true });
  }
  /** window.resize {tabId, width, height} → {width, height, via}: what the viewport became. */
  async resize(tabId, width, height) {
    this.#grants.require(tabId, "act");
    const tab = await chrome.tabs.get(tabId);
    const frame = await chrome.windows.get(tab.windowId);
    const extra = (whole, inner) => (whole ?? 0) - (inner ?? 0);
    try {
      await chrome.windows.update(tab.windowId, {
        state: "normal",
        width: width + extra(frame.width, tab.width),
        height: height + extra(frame.height, tab.height)
      });
    } catch (error) {
      throw new Fault("VALIDATION_ERROR", "A window of that size does not fit on the screen.", {
        details: { chrome: messageOf(error) },
        suggestions: [`dbridge emulation set --viewport ${width}x${height}`]
      });
    }
    const now = await chrome.tabs.get(tabId);
    return { width: now.width ?? width, height: now.height ?? height, via: "window" };
  }
};

// src/background/trace.ts
var PAGE = "trace.html";
var making;
async function traceEngine(op, fields2) {
  const { id, data = "" } = fields2;
  if (typeof id !== "string" || typeof data !== "string") {
    throw new Fault("VALIDATION_ERROR", "The field id or data is missing or not valid.", { details: { field: typeof id === "string" ? "data" : "id" } });
  }
  await page();
  const message = { to: "trace-engine", op, id, data };
  let answer;
  try {
    answer = await chrome.runtime.sendMessage(message);
  } catch (error) {
    throw failed(messageOf(error));
  }
  if (answer?.idle !== false) await chrome.offscreen.closeDocument().catch(() => void 0);
  if (answer === void 0) throw failed("its page is gone");
  if (answer.error !== void 0) throw failed(answer.error);
  return answer.result;
}
async function page() {
  making ??= open().finally(() => making = void 0);
  await making;
}
async function open() {
  if (await chrome.offscreen.hasDocument()) return;
  await chrome.offscreen.createDocument({
    url: PAGE,
    reasons: [chrome.offscreen.Reason.BLOBS],
    justification: "Reads a performance trace that was recorded for an agent."
  });
}
function failed(reason) {
  return new Fault("RESULT_TOO_LARGE", `the trace was recorded but cannot be analysed: ${reason}`, {
    suggestions: ["Open the trace file in the Performance panel of DevTools.", "Record a shorter time: dbridge trace start --reload --auto-stop"]
  });
}

// src/background/requests.ts
var DEFAULT_TIMEOUT_MS3 = 3e4;
async function answerRequest(op, payload, deps) {
  const fields2 = record2(payload);
  switch (op) {
    case "bridge.call": {
      const command = record2(fields2.command);
      if (typeof command.type !== "string") throw invalid("command.type");
      const documentId = optionalText(fields2, "documentId");
      return deps.calls.run({
        tabId: integer(fields2, "tabId"),
        frameId: integer(fields2, "frameId"),
        ...documentId === void 0 ? {} : { documentId },
        command: { ...command, type: command.type },
        timeoutMs: optionalInteger(fields2, "timeoutMs") ?? DEFAULT_TIMEOUT_MS3
      });
    }
    case "cdp.send": {
      const method = fields2.method;
      if (typeof method !== "string" || !/^[A-Za-z]+\.[A-Za-z]+$/.test(method)) throw invalid("method");
      const sessionId = optionalText(fields2, "sessionId");
      return deps.lane.send({
        tabId: integer(fields2, "tabId"),
        ...sessionId === void 0 ? {} : { sessionId },
        method,
        params: fields2.params === void 0 ? {} : record2(fields2.params),
        timeoutMs: optionalInteger(fields2, "timeoutMs") ?? DEFAULT_TIMEOUT_MS3,
        patient: fields2.patient === true
      });
    }
    case "cdp.targets":
      return deps.lane.targets(integer(fields2, "tabId"));
    case "cdp.batch": {
      const tabId = integer(fields2, "tabId");
      const timeoutMs = optionalInteger(fields2, "timeoutMs") ?? DEFAULT_TIMEOUT_MS3;
      const sends = Array.isArray(fields2.sends) ? fields2.sends.map(record2) : [];
      await Promise.all(sends.map(({ method, params }) => {
        if (typeof method !== "string" || !method.startsWith("Input.")) throw invalid("method");
        return deps.lane.send({ tabId, method, params: record2(params), timeoutMs });
      }));
      return {};
    }
    case "files.set": {
      const sessionId = optionalText(fields2, "sessionId");
      const { objectId, files } = fields2;
      if (typeof objectId !== "string") throw invalid("objectId");
      if (!Array.isArray(files) || !files.every((file) => typeof file === "string")) throw invalid("files");
      return deps.lane.send({
        tabId: integer(fields2, "tabId"),
        ...sessionId === void 0 ? {} : { sessionId },
        method: "DOM.setFileInputFiles",
        params: { files, objectId },
        timeoutMs: optionalInteger(fields2, "timeoutMs") ?? DEFAULT_TIMEOUT_MS3,
        own: true
      });
    }
    case "cdp.detach": {
      await deps.lane.detach(integer(fields2, "tabId"), "own", true);
      return {};
    }
    case "tab.navigate": {
      const url = optionalText(fields2, "url");
      return deps.navigation.run({
        tabId: integer(fields2, "tabId"),
        ...url === void 0 ? {} : { url },
        back: fields2.back === true,
        forward: fields2.forward === true,
        reload: fields2.reload === true,
        ignoreCache: fields2.ignoreCache === true,
        ...optionalLeave(fields2),
        timeoutMs: optionalInteger(fields2, "timeoutMs") ?? DEFAULT_TIMEOUT_MS3
      });
    }
    case "trace.add":
    case "trace.report":
    case "trace.drop":
      deps.grants.require(integer(fields2, "tabId"), "control");
      return traceEngine(op, fields2);
    case "cdp.hold": {
      await deps.lane.hold(integer(fields2, "tabId"), fields2.on === true);
      return {};
    }
    case "tabs.open": {
      const url = optionalText(fields2, "url");
      if (url === void 0) throw invalid("url");
      const { sessionId, level } = fields2;
      if (sessionId !== void 0 && !isSessionName(sessionId)) throw invalid("sessionId");
      if (level !== void 0 && !isLevel(level)) throw invalid("level");
      const openerTabId = optionalInteger(fields2, "openerTabId");
      const agent = readAgent(fields2.agent);
      return deps.windows.open({
        url,
        background: fields2.background === true,
        ...sessionId === void 0 ? {} : { sessionId },
        ...level === void 0 ? {} : { level },
        ...openerTabId === void 0 || openerTabId === 0 ? {} : { openerTabId },
        ...agent === null ? {} : { agent },
        timeoutMs: optionalInteger(fields2, "timeoutMs") ?? DEFAULT_TIMEOUT_MS3
      });
    }
    case "tabs.close":
      await deps.windows.close(integer(fields2, "tabId"));
      return {};
    case "tabs.activate":
      await deps.windows.activate(integer(fields2, "tabId"));
      return {};
    case "recorder.inject":
      await deps.frames.record(integer(fields2, "tabId"));
      return {};
    case "tab.picture":
      return deps.recordings.picture(integer(fields2, "tabId"));
    case "confirm.ask": {
      const { id, act, agent, what } = fields2;
      for (const [name, text2] of Object.entries({ id, act, agent, what })) if (typeof text2 !== "string") throw invalid(name);
      return deps.confirms.ask({
        id: String(id),
        tabId: integer(fields2, "tabId"),
        act: String(act),
        agent: String(agent),
        what: String(what),
        timeoutMs: optionalInteger(fields2, "timeoutMs") ?? DEFAULT_TIMEOUT_MS3
      });
    }
    case "window.resize":
      return deps.windows.resize(integer(fields2, "tabId"), integer(fields2, "width"), integer(fields2, "height"));
    case "tabs.list":
      return { tabs: await listTabs(deps) };
    case "diag.echo":
      return { at: Date.now() };
    default:
      throw new Fault("UNKNOWN_TYPE", `The extension knows no ${JSON.stringify(op)}.`);
  }
}
async function heedEvent(op, payload, deps) {
  const fields2 = record2(payload);
  switch (op) {
    case "bridge.ack": {
      const documentId = optionalText(fields2, "documentId");
      if (documentId === void 0) throw invalid("documentId");
      deps.frames.acknowledge({ tabId: integer(fields2, "tabId"), frameId: integer(fields2, "frameId"), documentId, upTo: integer(fields2, "upTo") });
      return;
    }
    case "agents":
      deps.health.agentsChanged(payload);
      deps.changed();
      return;
    case "confirm.off":
      deps.confirms.withdraw(optionalText(fields2, "id") ?? "");
      return;
    case "recording":
      deps.recordings.heed(payload);
      return;
    case "tab.disconnect":
      await deps.tabs.disconnect(integer(fields2, "tabId"), "detached_by_user", true);
      return;
    case "agent.left": {
      const key = optionalText(fields2, "key");
      if (key === void 0) throw invalid("key");
      await deps.groups.left(key);
      return;
    }
    default:
      console.debug("event of an unknown kind", op);
  }
}
async function listTabs({ grants: grants2, settings: settings2 }) {
  const all = await chrome.tabs.query({});
  return all.flatMap((tab) => {
    if (tab.id === void 0 || tab.incognito) return [];
    const grant = grants2.get(tab.id);
    if (grant) return [{ tabId: tab.id, url: grant.url, title: grant.title, connected: grant.paused === null, level: grant.level }];
    if (restriction(tab.url) !== null || settings2.forbidden(tab.url) !== null || siteOf(tab.url) === null) return [];
    return [{ tabId: tab.id, url: new URL(tab.url ?? "").origin + "/", title: "", connected: false, level: "" }];
  });
}
function optionalLeave(fields2) {
  const initScript = optionalText(fields2, "initScript");
  const { beforeunload } = fields2;
  if (beforeunload !== void 0 && beforeunload !== "" && beforeunload !== "accept" && beforeunload !== "dismiss") throw invalid("beforeunload");
  return {
    ...initScript === void 0 || initScript === "" ? {} : { initScript },
    ...beforeunload === void 0 || beforeunload === "" ? {} : { beforeunload }
  };
}
function record2(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
function integer(fields2, name) {
  const value = fields2[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw invalid(name);
  return value;
}
function optionalInteger(fields2, name) {
  return fields2[name] === void 0 ? void 0 : integer(fields2, name);
}
function optionalText(fields2, name) {
  const value = fields2[name];
  if (value === void 0) return void 0;
  if (typeof value !== "string") throw invalid(name);
  return value;
}
function invalid(field) {
  return new Fault("VALIDATION_ERROR", `The field ${field} is missing or not valid.`, { details: { field } });
}

// src/background/main.ts
var NATIVE_HOST = "com.debugbridge.host";
var LINK_VERSION2 = 1;
var ALARM = "wake";
var ALARM_MINUTES = 1;
var settings = new SettingsStore(settingsChanged);
var grants = new Grants();
var linkConnected = false;
var install = { id: "", name: "" };
var out = {
  get connected() {
    return linkConnected;
  },
  get queued() {
    return link.queued;
  },
  emit(op, payload) {
    if (linkConnected || op === "cdp.event") link.event(op, payload);
    if (linkConnected && op === "tab.connected") recordings.announce(payload.tabId);
  }
};
var health = new Health(() => link.request("diag.echo", {}));
var questions = new Questions((tabId) => shown(tabId));
var confirms = new Confirms(grants, (tabId) => shown(tabId));
var calls = new Calls(grants, () => frames, questions, () => popups.changed());
var frames = new Frames(grants, settings, out, {
  mainDocument: (tabId, documentId, url) => tabs.mainDocument(tabId, documentId, url),
  connecting: (tabId) => tabs.connecting(tabId),
  consoleByCdp: (tabId) => lane.consoleByCdp(tabId),
  answer: (frame, message) => calls.answer(frame, message),
  gone: (frame, reason) => calls.gone(frame, reason),
  mainLost: (tabId, documentId) => void tabs.mainLost(tabId, documentId)
});
var recordings = new Recordings(grants, settings, (op, payload) => link.request(op, payload), (op, payload) => out.emit(op, payload), (tabId) => shown(tabId));
var navigation = new Navigation(grants, settings, () => health.daemonURL, (tabId) => ({
  send: (method, params) => lane.send({ tabId, method, params })
}));
var lane = new DebuggerLane(grants, () => frames, settings, out, {
  detached: (tabId, reason) => void tabs.detached(tabId, reason),
  crashed: (tabId) => void tabs.crashed(tabId),
  leaving: (tabId) => navigation.leaving(tabId),
  stayed: (tabId, url) => navigation.failed(tabId, url, "dialog_dismissed"),
  committed: (tabId, url) => tabs.committedByCdp(tabId, url),
  checkNavigation: (tabId, url) => void navigation.resolve(tabId, url)
});
var tabs = new Tabs(grants, settings, () => frames, () => lane, out, shown, {
  inherited: (tabId, openerTabId) => groups.inherited(tabId, openerTabId),
  ended: (tabId) => groups.ended(tabId)
});
var groups = new Groups(grants, settings, () => tabs, shown);
var windows = new Windows(grants, tabs, navigation, groups);
var picks = new Picks(calls, frames, grants);
var popups = new Popups(picks, confirms, recordings, tabs, grants, groups, settings, lane, health, retryLink);
var link = new Link({
  connect: () => chrome.runtime.connectNative(NATIVE_HOST),
  hello: () => ({
    linkVersion: LINK_VERSION2,
    extensionVersion: chrome.runtime.getManifest().version,
    installId: install.id,
    name: settings.current.installName || install.name,
    browser: browserName(),
    userAgent: navigator.userAgent
  }),
  onRequest: (op, payload) => ready.then(() => answerRequest(op, payload, { calls, lane, navigation, grants, settings, windows, frames, recordings, confirms })),
  onEvent: (op, payload) => void ready.then(() => heedEvent(op, payload, { frames, health, tabs, groups, recordings, confirms, changed: () => popups.changed() })).catch(report2),
  onState: (state) => {
    const was = linkConnected;
    linkConnected = state.phase === "connected";
    health.linkChanged(state);
    if (linkConnected || state.phase === "failed") void ready.then(() => lane.daemonIs(state.epoch ?? "")).catch(report2);
    if (linkConnected && !was) {
      tabs.announce();
      for (const { tabId } of grants.all()) recordings.announce(tabId);
      frames.resendAll();
      void health.measure().then(() => popups.changed());
    }
    popups.changed();
  }
});
var ready = boot();
async function boot() {
  await Promise.all([settings.load(), grants.load(), groups.load(), installId().then((id) => install = { id, name: usualName(id) })]);
  link.start();
  void confirms.start().catch(report2);
  const adopted = lane.start();
  await chrome.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES });
  void adopted.then(() => tabs.reconcile()).then(() => groups.reconcile()).catch(report2);
}
function when(listener) {
  return (...args) => {
    ready.then(() => listener(...args)).catch(report2);
  };
}
function report2(error) {
  console.error(messageOf(error), error);
}
function shown(tabId) {
  if (grants.get(tabId)?.paused !== null) confirms.gone(tabId);
  void drawBadge(tabId, grants.get(tabId), groups.refusal(tabId), recordings.get(tabId)?.on === true, questions.has(tabId) || confirms.has(tabId));
  popups.changed();
}
function settingsChanged(now, before) {
  void registerEarly(now);
  if (now.debuggerMode !== before.debuggerMode || now.idleSeconds !== before.idleSeconds) lane.settingsChanged();
  if (JSON.stringify([now.telemetry, now.redact]) !== JSON.stringify([before.telemetry, before.redact])) frames.reconfigure();
  if (now.installName !== before.installName) retryLink();
  if (now.ring !== before.ring) recordings.settingsChanged();
  void tabs.settingsChanged(now, before).catch(report2);
  popups.changed();
}
function retryLink() {
  link.stop();
  link.start();
}
function browserName() {
  const brands = navigator.userAgentData?.brands ?? [];
  const known = brands.filter(({ brand }) => !/not.?a.?brand/i.test(brand));
  const best = known.find(({ brand }) => brand !== "Chromium") ?? known[0];
  return best ? `${best.brand} ${best.version}` : "Chromium";
}
async function connectFromMenu(tabId, level) {
  const { levelDefault, sessionDefault } = settings.current;
  await settings.save({ halted: false });
  await tabs.connect(tabId, { level: level ?? levelDefault, sessionId: sessionDefault, anySite: false }, "click");
}
var actions = {
  connect: (tabId, level) => void connectFromMenu(tabId, level).catch(report2),
  disconnect: (tabId) => void tabs.disconnect(tabId, "detached_by_user", true).catch(report2),
  connected: (tabId) => grants.get(tabId) !== void 0,
  stopEverything: () => void popups.stopEverything().catch(report2),
  pick(tabId, frameId) {
    if (!picks.possible(tabId)) void chrome.action.openPopup().catch(report2);
    else void (frameId === null ? picks.start(tabId) : picks.here(tabId, frameId)).catch(report2);
  }
};
chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.id !== chrome.runtime.id) return port.disconnect();
  if (isPopupPort(port)) return popups.accept(port, ready);
  if (port.name === BRIDGE_PORT && port.sender.tab !== void 0) return frames.accept(port, ready);
  return port.disconnect();
});
chrome.runtime.onInstalled.addListener(when(async () => {
  await makeMenus();
  await registerEarly(settings.current);
}));
chrome.runtime.onStartup.addListener(when(() => registerEarly(settings.current)));
chrome.storage.onChanged.addListener(when((changes, area) => {
  if (area === "local" && Object.keys(changes).some((key) => key !== "installId")) return settings.reload();
  return void 0;
}));
chrome.alarms.onAlarm.addListener(when(async () => {
  lane.tick();
  await tabs.expire();
}));
chrome.webNavigation.onBeforeNavigate.addListener(when((details) => {
  if (details.frameId === 0) navigation.begins(details.tabId);
}));
chrome.webNavigation.onCreatedNavigationTarget.addListener(when(({ tabId, sourceTabId, url }) => tabs.popup(tabId, sourceTabId, url)));
chrome.webNavigation.onCommitted.addListener(when(async (details) => {
  if (details.frameId === 0 && details.documentLifecycle === "active") {
    confirms.gone(details.tabId, details.documentId);
    navigation.committed(details.tabId, details.url);
  }
  await tabs.committed(details);
}));
for (const moved of [chrome.webNavigation.onHistoryStateUpdated, chrome.webNavigation.onReferenceFragmentUpdated]) {
  moved.addListener(when((details) => {
    if (details.frameId === 0 && details.documentLifecycle === "active") navigation.committed(details.tabId, details.url);
    tabs.sameDocument(details);
  }));
}
chrome.webNavigation.onErrorOccurred.addListener(when((details) => {
  if (details.frameId === 0 && details.documentLifecycle === "active") navigation.failed(details.tabId, details.url, details.error);
}));
chrome.tabs.onUpdated.addListener(when((tabId, change) => {
  if (change.url !== void 0 || change.title !== void 0) popups.changed();
  groups.updated(tabId, change);
  return tabs.updated(tabId, change);
}));
chrome.tabs.onCreated.addListener(when((tab) => groups.created(tab)));
chrome.tabs.onReplaced.addListener(when((added, removed) => {
  groups.replaced(added, removed);
  return tabs.replaced(added, removed);
}));
chrome.tabs.onRemoved.addListener(when((tabId) => {
  navigation.gone(tabId);
  recordings.forget(tabId);
  confirms.gone(tabId);
  groups.removed(tabId);
  return tabs.removed(tabId);
}));
chrome.debugger.onEvent.addListener(when((source, method, params) => lane.onEvent(source, method, params)));
chrome.debugger.onDetach.addListener(when((source, reason) => lane.onDetach(source, reason)));
chrome.notifications.onButtonClicked.addListener(when((id, button) => confirms.pressed(id, button)));
chrome.notifications.onClicked.addListener(when((id) => confirms.pressed(id, null)));
chrome.contextMenus.onClicked.addListener(when((info, tab) => onMenu(info, tab, actions)));
chrome.commands.onCommand.addListener(when((command, tab) => onCommand(command, tab, actions)));
