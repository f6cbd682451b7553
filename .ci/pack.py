"""pack.py SOURCE TIME OUT OS/ARCH... packs SOURCE/OS/ARCH/causal into OUT for .ci/snapshot: archives, a CycloneDX list of the
modules in each, checksums.txt. All files have the time that is given, so that the same programs give the same archives."""
import gzip, hashlib, io, json, os, subprocess, sys, tarfile, time, zipfile

BESIDE = ("LICENSE", "README.md", "docs/causal.service")


def modules(program):
    info = json.loads(subprocess.run(["go", "version", "-m", "-json", program], check=True, stdout=subprocess.PIPE).stdout)
    return info["Main"]["Version"], info["GoVersion"].removeprefix("go"), [d.get("Replace") or d for d in info["Deps"]]


def component(kind, name, version):
    purl = f"pkg:golang/{name}@{version}"
    return {"bom-ref": purl, "type": kind, "name": name, "version": version, "purl": purl}


def contents(version, go, deps):
    libraries = [component("library", d["Path"], d["Version"]) for d in deps] + [component("library", "stdlib", go)]
    return json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": component("application", "github.com/causaldocs/causal", version)},
        "components": sorted(libraries, key=lambda c: c["bom-ref"]),
    }, indent=1) + "\n"


def tar_of(files, when):
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as t:
        for name, mode, data in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime, entry.uname, entry.gname = len(data), mode, when, "root", "root"
            t.addfile(entry, io.BytesIO(data))
    return gzip.compress(plain.getvalue(), mtime=when)


def zip_of(files, when):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as z:
        for name, mode, data in files:
            entry = zipfile.ZipInfo(name, time.gmtime(when)[:6])
            entry.external_attr, entry.compress_type, entry.create_system = mode << 16, zipfile.ZIP_DEFLATED, 3
            z.writestr(entry, data)
    return made.getvalue()


def read(*path):
    with open(os.path.join(*path), "rb") as f:
        return f.read()


def main(source, when, out, platforms):
    sums = {}
    for platform in platforms:
        system = platform.split("/")[0]
        exe, form, pack = ("causal.exe", "zip", zip_of) if system == "windows" else ("causal", "tar.gz", tar_of)
        version, go, deps = modules(os.path.join(source, platform, exe))
        if not version.startswith("v") or not deps:
            sys.exit(f"{platform}: go has noted the version {version!r} and {len(deps)} modules")
        files = [(os.path.basename(f), 0o644, read(source, "causal", f)) for f in BESIDE] + [(exe, 0o755, read(source, platform, exe))]
        name = f"causal_{version[1:]}_{platform.replace('/', '_')}.{form}"
        for file, data in ((name, pack(files, when)), (name + ".cdx.json", contents(version, go, deps).encode())):
            sums[file] = hashlib.sha256(data).hexdigest()
            with open(os.path.join(out, file), "wb") as f:
                f.write(data)
    with open(os.path.join(out, "checksums.txt"), "w", encoding="ascii") as f:
        f.writelines(f"{sums[name]}  {name}\n" for name in sorted(sums))


main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:])
